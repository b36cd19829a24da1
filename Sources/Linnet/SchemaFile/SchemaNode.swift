/// A value in a schema file, with its place, from which messages are made.
struct SchemaNode {
    /// A fault of the value at a place.
    struct Problem: Error, Equatable {
        var path: [JSON.Step]
        var message: String
    }

    let json: JSON
    let path: [JSON.Step]

    init(_ json: JSON, at path: [JSON.Step] = []) {
        self.json = json
        self.path = path
    }

    func problem(_ message: String) -> Problem { Problem(path: path, message: message) }

    /// Returns the member of an object; nil when it is not there.
    func member(_ name: String) -> SchemaNode? {
        json[name].map { SchemaNode($0, at: path + [.member(name)]) }
    }

    /// Returns the member of an object; the failure says what belongs there.
    func required(_ name: String, _ meaning: String) throws(Problem) -> SchemaNode {
        guard let member = member(name) else {
            throw problem("\"\(name)\" is missing: \(meaning)")
        }
        return member
    }

    /// Throws unless the value is an object whose members have these names.
    func require(membersAmong names: [String]) throws(Problem) {
        guard case .object(let members) = json else {
            throw problem("an object is expected here, in braces")
        }
        for member in members where !names.contains(member.name) {
            let hint = NearMiss.best(for: member.name, among: names)
            throw SchemaNode(member.value, at: path + [.member(member.name)]).problem(
                "nothing is called \"\(TerminalText.neutral(member.name))\" here; "
                    + (hint.map { "did you mean \"\($0)\"?" }
                        ?? "there are \(names.joined(separator: ", "))"))
        }
    }

    func text() throws(Problem) -> String {
        guard let text = json.string else { throw problem("a text in quotes is expected here") }
        return text
    }

    /// Reads a name of 1 to 64 bytes without control characters.
    func name() throws(Problem) -> String {
        let name = try text()
        guard RecordID(name) != nil else {
            throw problem("a name has 1 to 64 bytes and no control characters")
        }
        return name
    }

    func number(from least: UInt32 = 1) throws(Problem) -> UInt32 {
        guard case .number(let digits) = json, let number = UInt32(digits), number >= least else {
            throw problem("a whole number from \(least) to \(UInt32.max) is expected here")
        }
        return number
    }

    func elements() throws(Problem) -> [SchemaNode] {
        guard case .array(let values) = json else {
            throw problem("a list is expected here, in square brackets")
        }
        return values.enumerated().map { SchemaNode($0.element, at: path + [.element($0.offset)]) }
    }

    /// Returns the one of `values` that the text names.
    func choice<Chosen>(_ values: [(name: String, value: Chosen)]) throws(Problem) -> Chosen {
        let text = try text()
        if let found = values.first(where: { $0.name == text }) { return found.value }
        let names = values.map(\.name)
        let hint = NearMiss.best(for: text, among: names).map { "; did you mean \"\($0)\"?" }
        throw problem("this must be one of \(names.joined(separator: ", "))" + (hint ?? ""))
    }
}

extension SchemaNode.Problem {
    /// The place as people write it, for instance `collections[0].fields[2].type`.
    var place: String {
        var place = ""
        for step in path {
            switch step {
            case .member(let name): place += (place.isEmpty ? "" : ".") + name
            case .element(let index): place += "[\(index)]"
            }
        }
        return place
    }
}
