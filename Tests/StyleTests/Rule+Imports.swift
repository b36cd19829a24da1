extension Rule {
    /// Who may import whom.
    static let imports = [
        Rule(
            name: "a module imports only what the manifest's table gives it",
            bad: [
                ("Sources/LinnetWire/Frame.swift", "package import LinnetCRDT"),
                ("Sources/LinnetCRDT/Clock.swift", "import Foundation"),
                ("Sources/LinnetCRDT/Clock.swift", "#if canImport(Glibc)\nimport Glibc\n#endif"),
                ("Sources/Linnet/Node.swift", "import FoundationEssentials"),
                ("Sources/LinnetCLI/main.swift", "import CDNSSD"),
                ("Sources/Nowhere/Node.swift", "import LinnetWire"),
            ],
            good: [
                ("Sources/LinnetCRDT/Clock.swift", "public import struct LinnetWire.Bytes8"),
                ("Sources/LinnetCLI/main.swift", "import FoundationEssentials\nimport CQREncode"),
                ("Sources/Linnet/Node.swift", "import Glibc // import Foundation"),
            ],
            check: checkModuleImports),
        Rule(
            name: "the manifest's table points strictly downward",
            bad: [
                ("Package.swift", "let modules = [\n(\"A\", [\"B\"]),\n(\"B\", []),\n]\n"),
                ("Package.swift", "let others = []\n"),
            ],
            good: [
                ("Package.swift", "let modules = [\n(\"B\", [\"CZ\"]),\n(\"A\", [\"B\"]),\n]\n")
            ],
            check: checkDownward),
        Rule(
            name: "tests of the public face see nothing else of ours",
            bad: [("Tests/PublicAPITests/ReadmeTests.swift", "import Linnet\nimport LinnetWire")],
            good: [
                ("Tests/PublicAPITests/ReadmeTests.swift", "import Linnet\nimport Testing"),
                ("Tests/PublicAPITests/WidgetTests.swift", "import LinnetFaces"),
                ("Tests/PublicAPITests/FleetTests.swift", "import LinnetSimulator"),
            ],
            check: checkPublicFace),
        Rule(
            name: "the simulator imports what is pure, never the node",
            bad: [
                ("Simulations/LinnetSimulator/Cluster/World.swift", "import Linnet"),
                ("Simulations/LinnetSimulator/Cluster/World.swift", "import Foundation"),
                ("Simulations/Scenarios/Scenarios.swift", "import LinnetDiscovery"),
            ],
            good: [
                ("Simulations/LinnetSimulator/Cluster/World.swift", "import LinnetWire"),
                ("Simulations/simulate/main.swift", "import LinnetSimulator"),
            ],
            check: checkSimulator),
    ]

    private static func checkSimulator(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isSwift,
            ["Simulations/LinnetSimulator/", "Simulations/Scenarios/"]
                .contains(where: file.path.hasPrefix)
        else { return [] }
        let banned: Set<String> = [
            "Linnet", "LinnetSystem", "LinnetDesktop", "LinnetControl", "LinnetCLI",
            "LinnetDiscovery", "Foundation", "FoundationEssentials", "Dispatch",
        ]
        return file.imports.filter { banned.contains($0.module) }
            .map { file.finding($0.line, "the simulator may not import \($0.module)") }
    }

    /// Modules that may call the operating system and hold locks.
    private static let shell: Set<String> = [
        "Linnet", "LinnetSystem", "LinnetDesktop", "LinnetControl", "LinnetCLI", "LinnetDiscovery",
        "LinnetBench", "LinnetAPI", "LinnetDashboard", "LinnetRelay", "linnet-bench",
    ]
    private static let system: Set<String> = ["Glibc", "Musl", "Darwin", "Synchronization"]

    private static func checkModuleImports(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction else { return [] }
        guard let allowed = allowedImports(of: file.target, context) else {
            return [file.finding(1, "\(file.target) is not in the manifest's table")]
        }
        return file.imports.filter { !allowed.contains($0.module) }
            .map { file.finding($0.line, "\(file.target) may not import \($0.module)") }
    }

    private static func allowedImports(of target: String, _ context: Context) -> Set<String>? {
        let ours = context.modules.map(\.name)
        let extra = shell.contains(target) ? system : []
        if target == "LinnetCLI" {
            return extra.union(ours).union(context.commandImports).union(["FoundationEssentials"])
        }
        if target == "linnet-bench" { return extra.union(["LinnetBench"]) }
        guard let row = context.modules.first(where: { $0.name == target }) else { return nil }
        return extra.union(row.imports)
    }

    private static func checkDownward(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path == "Package.swift" else { return [] }
        let modules = Manifest.modules(in: file.text)
        guard !modules.isEmpty else { return [file.finding(1, "no table of modules")] }
        var above: Set<String> = []
        var findings: [Finding] = []
        for module in modules {
            for name in module.imports where !above.contains(name) && !isSystemLibrary(name) {
                findings.append(file.finding(1, "\(module.name) imports \(name) from below it"))
            }
            above.insert(module.name)
        }
        return findings
    }

    private static func isSystemLibrary(_ name: String) -> Bool {
        name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
    }

    private static func checkPublicFace(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path.hasPrefix("Tests/PublicAPITests/") else { return [] }
        let products = ["Linnet", "LinnetMedication", "LinnetFaces", "LinnetSimulator"]
        return file.imports
            .filter { $0.module.hasPrefix("Linnet") && !products.contains($0.module) }
            .map { file.finding($0.line, "imports \($0.module)") }
    }
}

extension SourceFile {
    /// The modules that the file imports, with the line of each.
    var imports: [(module: String, line: Int)] {
        let kinds: Set<String> = [
            "struct", "class", "enum", "protocol", "typealias", "func", "var",
        ]
        return tokens.indices.compactMap { index in
            guard tokens[index].isWord("import") else { return nil }
            var next = index + 1
            if next < tokens.count, kinds.contains(tokens[next].text) { next += 1 }
            return next < tokens.count ? (tokens[next].text, tokens[index].line) : nil
        }
    }
}
