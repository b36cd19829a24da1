extension Rule {
    /// How much a type may be.
    static let types = [
        Rule(
            name: "a type has at most 15 stored properties and 35 functions in all its extensions",
            bad: [
                ("Simulations/LinnetSimulator/A.swift", type(properties: 16)),
                ("Simulations/LinnetSimulator/A.swift", type(functions: 36)),
                (
                    "Simulations/LinnetSimulator/A.swift",
                    type(functions: 20) + "extension A {\n"
                        + (1...16).map { "    func g\($0)() {}\n" }.joined() + "}\n"
                ),
                (
                    "Simulations/LinnetSimulator/A.swift",
                    "enum B {\n" + type(properties: 16) + "}\n"
                ),
                ("Sources/LinnetReplication/A.swift", type(functions: 36)),
            ],
            good: [
                ("Simulations/LinnetSimulator/A.swift", type(properties: 15, functions: 35)),
                (
                    "Simulations/LinnetSimulator/A.swift",
                    type(properties: 15) + "struct B {\n    let a: Int\n    let b: [Int]\n}\n"
                ),
                (
                    "Simulations/LinnetSimulator/A.swift",
                    "struct A {\n"
                        + (1...16).map { "    var a\($0): Int { let x = 1; return x }\n" }.joined()
                        + (1...16).map { "    static let b\($0) = 1\n" }.joined() + "}\n"
                ),
            ],
            check: checkTypes),
        Rule(
            name: "a class and an actor are final",
            bad: [
                ("Sources/Linnet/A.swift", "public actor A {}"),
                ("Simulations/LinnetSimulator/A.swift", "class A: B {}"),
            ],
            good: [
                ("Sources/Linnet/A.swift", "public final actor A {}\nfinal class B {}"),
                ("Sources/Linnet/A.swift", "protocol A: class {}\nlet actor = 1\nf(actor: b)"),
                ("Tests/LinnetTests/A.swift", "actor A {}"),
            ],
            check: checkFinal),
    ]

    /// Swift 6.3.1 reads a large optional of a field that is not final after the access to it has
    /// ended, when the field is of a type that cannot be copied.
    private static func checkFinal(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isSwift, file.isProduction || file.path.hasPrefix("Simulations/") else {
            return []
        }
        let tokens = file.tokens
        return tokens.indices.dropLast().compactMap { index in
            let token = tokens[index]
            guard token.isWord("class") || token.isWord("actor"),
                tokens[index + 1].kind == .identifier,
                tokens[index + 1].text.first?.isUppercase == true,
                index == 0 || !tokens[index - 1].isWord("final")
            else { return nil }
            return file.finding(token.line, "\(tokens[index + 1].text) is not final")
        }
    }

    private static let (mostProperties, mostFunctions) = (15, 35)

    /// A sample with a type of so many properties and functions.
    private static func type(properties: Int = 0, functions: Int = 0) -> String {
        "struct A {\n"
            + (0..<properties).map { "    var a\($0): [Int: (Int, Int)] = [:]\n" }.joined()
            + (0..<functions).map { "    func f\($0)() { var x = 1 }\n" }.joined() + "}\n"
    }

    /// The types that are larger, and why.
    static let largeTypes: [(type: String, why: String)] = [
        ("CBORReader", "Each module extends it by what it alone reads; no part is another's."),
        ("Companion", "The face of the companion page: a function for each thing that befalls it."),
        ("Conversation", "The steps of one session, in the order of the companion page."),
        ("CutWorld", "A model of a fleet: a function for each thing that can befall it."),
        ("DatabaseFile", "A connection and one group of statements for each table."),
        ("DiskCounters", "One number for each thing that a disk counts."),
        ("Medication", "The fields of a record, as the schema names them."),
        ("MedicationBook", "A reading for each question that a face asks."),
        ("MedicationDraft", "The fields of a record that is being written."),
        ("MedicationPlanner", "A function for each thing that a person does."),
        ("ModelStore", "It is a store, which has a function for each thing that is kept."),
        ("Negotiation", "The values of a handshake, which are known one after the other."),
        ("Node", "The public face of a home: a function for each verb; desks own the state."),
        ("Plan", "The settings of a run, which nothing changes."),
        ("RecordReader", "A function for each question that records answer, read in one place."),
        ("Replica", "The public verbs of a device, and the steps that take several machines."),
        ("SQLiteStore", "It is a store, which has a function for each thing that is kept."),
        ("Scenario", "The settings of a scenario, by name, for whoever declares one."),
        ("TextDocument", "It answers and takes edits by offsets, in three units, and by names."),
        ("TextTree", "The steps between neighbours of a tree, one function for each."),
        ("WidgetLimits", "One number for each thing that a widget's system limits."),
        ("World", "A shell: a function for each thing that can befall a fleet."),
    ]

    /// Where types are counted.
    static func countsTypes(of file: SourceFile) -> Bool {
        file.isProduction || file.isSwift && file.path.hasPrefix("Simulations/")
    }

    private static func checkTypes(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard countsTypes(of: file) else { return [] }
        var counted = context.typeSizes
        if counted.declarations.isEmpty { counted.add(file) }
        return counted.declarations.filter { $0.path == file.path }.flatMap { declared in
            let size = counted.size(of: declared.type, in: declared.target)
            if largeTypes.contains(where: { $0.type == declared.type }) { return [Finding]() }
            var findings: [Finding] = []
            if size.properties > mostProperties {
                findings.append(
                    file.finding(
                        declared.line,
                        "\(declared.type) has \(size.properties) stored properties, at most "
                            + "\(mostProperties)"))
            }
            if size.functions > mostFunctions {
                findings.append(
                    file.finding(
                        declared.line,
                        "\(declared.type) has \(size.functions) functions, at most "
                            + "\(mostFunctions)"))
            }
            return findings
        }
    }
}
