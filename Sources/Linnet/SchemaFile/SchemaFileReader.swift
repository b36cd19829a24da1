import LinnetCRDT
import LinnetMedication

/// Reads the collections of a schema file.
struct SchemaFileReader {
    typealias Problem = SchemaNode.Problem

    static let types: [(name: String, value: ValueType)] = [
        ("text", .text), ("int", .int), ("decimal", .decimal), ("double", .double),
        ("bool", .bool), ("date", .date), ("instant", .instant), ("bytes", .bytes),
    ]
    /// The kinds that a file names; a group is written as one, without its kind.
    static let kinds: [(name: String, value: FieldKind)] = FieldKind.allCases
        .filter { $0 != .group }.map { ($0.name, $0) }
    static let policies: [(name: String, value: DeletePolicy)] = [
        ("deleteWins", .deleteWins), ("updateWins", .updateWins), ("neverDelete", .neverDelete),
    ]
    static let divisions: [(name: String, value: Division)] = [
        ("year", .year), ("month", .month), ("day", .day), ("segment", .segment),
    ]
    static let indexes: [(name: String, value: FieldIndex)] = FieldIndex.allCases.map {
        ($0.rawValue, $0)
    }
    static let builtIn: [(name: String, value: Collection)] =
        Schema.demonstration.collections.map { ($0.name, $0) }

    private let root: SchemaNode
    /// The numbers of the collections that references may name.
    private var numbers: [String: UInt32] = [:]

    init(_ root: SchemaNode) {
        self.root = root
        for (name, collection) in Self.builtIn { numbers[name] = collection.id }
    }

    func file() throws(Problem) -> SchemaFile {
        var reader = self
        return try reader.read()
    }

    private mutating func read() throws(Problem) -> SchemaFile {
        try root.require(membersAmong: ["version", "collections", "retired"])
        let version = try root.required("version", "a number that grows with every change")
            .number()
        let nodes = try root.required("collections", "a list of collections").elements()
        for node in nodes {
            if let id = node.member("id"), let name = node.member("name") {
                numbers[try name.name()] = try id.number()
            }
        }
        var collections: [Collection] = []
        var copies: [SchemaFile.Copy] = []
        for node in nodes {
            let collection = try self.collection(node, &copies)
            if let other = collections.first(where: { $0.id == collection.id }) {
                throw node.problem("the number \(other.id) is that of \(other.name): take another")
            }
            if collections.contains(where: { $0.name == collection.name }) {
                throw node.problem("there are two collections of this name: rename one")
            }
            collections.append(collection)
        }
        let retired = try self.retired(
            of: root, from: Schema.firstApplicationCollection, declared: collections.map(\.id))
        do throws(SchemaError) {
            return SchemaFile(
                try Schema(version: version, collections: collections, retired: retired),
                copies: copies)
        } catch {
            throw problem(error, nodes)
        }
    }

    private func collection(
        _ node: SchemaNode, _ copies: inout [SchemaFile.Copy]
    ) throws(Problem) -> Collection {
        if let name = node.member("builtIn") {
            try node.require(membersAmong: ["builtIn"])
            return try name.choice(Self.builtIn)
        }
        try node.require(
            membersAmong: [
                "id", "name", "scope", "kind", "delete", "fields", "retired", "builtIn",
            ])
        let idNode = try node.required("id", "a number from 2000 on that is never used again")
        let id = try idNode.number()
        guard id >= Schema.firstApplicationCollection else {
            throw idNode.problem("numbers below 2000 belong to Linnet: take one from 2000 on")
        }
        let name = try node.required("name", "what people call the collection").name()
        let scope = try self.scope(
            try node.required("scope", "the name under which the records are replicated"))
        let isLog =
            try node.member("kind").map { (kind) throws(Problem) in
                try kind.choice([("records", false), ("log", true)])
            } ?? false
        var fields: [Field] = []
        for inner in try node.required("fields", "a list of fields").elements() {
            let field = try self.field(inner, of: id, fields, &copies)
            if isLog, !field.kind.rules.isForLogs {
                throw inner.problem("a log's fields are single values or groups")
            }
            fields.append(field)
        }
        let retired = try self.retired(of: node, from: 1, declared: fields.map(\.id))
        if isLog {
            if let delete = node.member("delete") {
                throw delete.problem("records of a log are never deleted: leave this out")
            }
            return .log(id: id, name: name, scope: scope, fields: fields, retired: retired)
        }
        let policy =
            try node.member("delete").map { (policy) throws(Problem) in
                try policy.choice(Self.policies)
            } ?? .deleteWins
        return Collection(
            id: id, name: name, scope: scope, deletePolicy: policy, fields: fields,
            retired: retired)
    }

    private func scope(_ node: SchemaNode) throws(Problem) -> ScopeRule {
        if case .text = node.json { return .always(try node.name()) }
        if let name = node.member("optional") {
            try node.require(membersAmong: ["optional"])
            return .optional(try name.name())
        }
        try node.require(membersAmong: ["optional", "name", "by"])
        let name = try node.required("name", "what the scopes' names begin with").name()
        let division = try node.required("by", "year, month, day or segment")
            .choice(Self.divisions)
        return .divided(name, by: division)
    }

    /// Returns the problem of a schema that is refused as a whole, at the field that the error
    /// names.
    private func problem(_ error: SchemaError, _ nodes: [SchemaNode]) -> Problem {
        let sentence = SchemaText.sentence(for: error)
        guard case .openReference(let name, let target) = error else {
            return root.problem(sentence)
        }
        for node in nodes {
            for field in (try? node.member("fields")?.elements()) ?? []
            where field.member("name")?.json.string == name {
                let members = (try? field.member("group")?.elements()) ?? []
                let refers = ([field] + members).contains {
                    $0.member("reference")?.json.string == target
                }
                if refers { return field.problem(sentence) }
            }
        }
        return root.problem(sentence)
    }
}

extension SchemaFileReader {
    private func field(
        _ node: SchemaNode, of collection: UInt32, _ before: [Field],
        _ copies: inout [SchemaFile.Copy]
    ) throws(Problem) -> Field {
        let names = [
            "id", "name", "kind", "type", "group", "choice", "reference", "index", "copyFrom",
        ]
        try node.require(membersAmong: names)
        let idNode = try node.required("id", "a number that is never used again")
        let id = try idNode.number()
        if let other = before.first(where: { $0.id == id }) {
            throw idNode.problem("the number \(id) is that of \(other.name): take another")
        }
        let nameNode = try node.required("name", "what people call the field")
        let name = try nameNode.name()
        if before.contains(where: { $0.name == name }) {
            throw nameNode.problem("there are two fields of this name: rename one")
        }
        let field = try self.field(node, id: id, name: name)
        if let source = node.member("copyFrom") {
            let copied = try source.number()
            guard let old = before.first(where: { $0.id == copied }) else {
                throw source.problem("no field above this one has the number \(copied)")
            }
            if let reason = SchemaCopying.refusal(of: field, from: old) {
                throw source.problem(reason)
            }
            copies.append(SchemaFile.Copy(collection: collection, field: id, source: copied))
        }
        return field
    }

    private func field(_ node: SchemaNode, id: UInt32, name: String) throws(Problem) -> Field {
        if let group = node.member("group") {
            if let kind = node.member("kind") {
                throw kind.problem("a group has no other kind: leave this out")
            }
            if let index = node.member("index") {
                throw index.problem("records are not found by a group: leave this out")
            }
            var members: [Field.Member] = []
            for inner in try group.elements() {
                try inner.require(membersAmong: ["name", "type", "choice", "reference"])
                let nameNode = try inner.required("name", "what people call the member")
                let name = try nameNode.name()
                if members.contains(where: { $0.name == name }) {
                    throw nameNode.problem("there are two members of this name: rename one")
                }
                members.append(Field.Member(name, try type(inner) ?? .text))
            }
            if members.isEmpty { throw group.problem("a group has at least one member") }
            return Field(id: id, name: name, group: members)
        }
        let kind =
            try node.member("kind").map { (kind) throws(Problem) in try kind.choice(Self.kinds) }
            ?? .lww
        guard let type = try type(node) ?? kind.rules.onlyType, kind.rules.allows(type) else {
            throw node.problem(kind.rules.typeAdvice)
        }
        return Field(
            id: id, name: name, kind: kind, type: type, index: try index(node, of: kind))
    }

    private func index(_ node: SchemaNode, of kind: FieldKind) throws(Problem) -> FieldIndex? {
        guard let given = node.member("index") else { return nil }
        let index = try given.choice(Self.indexes)
        guard !kind.allows(index) else { return index }
        throw given.problem(kind.rules.indexAdvice)
    }

    /// Reads the numbers under "retired"; throws when one of them is declared.
    private func retired(
        of node: SchemaNode, from least: UInt32, declared: [UInt32]
    ) throws(Problem) -> [UInt32] {
        guard let list = node.member("retired") else { return [] }
        var numbers: [UInt32] = []
        for element in try list.elements() {
            let number = try element.number(from: least)
            if declared.contains(number) {
                throw element.problem("\(number) is declared here: take it out of one of the two")
            }
            numbers.append(number)
        }
        return numbers
    }

    /// Reads the type that the node gives; nil when it gives none.
    private func type(_ node: SchemaNode) throws(Problem) -> ValueType? {
        let given = ["type", "choice", "reference"].filter { node.member($0) != nil }
        if given.count > 1 {
            throw node.problem("\(given.joined(separator: " and ")) exclude each other")
        }
        if let type = node.member("type") { return try type.choice(Self.types) }
        if let choice = node.member("choice") {
            var values: [String] = []
            for value in try choice.elements() {
                let text = try value.name()
                if values.contains(text) { throw value.problem("this choice is there twice") }
                values.append(text)
            }
            if values.isEmpty { throw choice.problem("a choice lists at least one value") }
            return .choice(values)
        }
        guard let reference = node.member("reference") else { return nil }
        return .reference(
            try reference.choice(
                numbers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }))
    }
}
