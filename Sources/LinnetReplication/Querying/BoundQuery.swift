import LinnetCRDT

/// A query whose names were found in its collection.
struct BoundQuery: Sendable {
    indirect enum Test: Sendable {
        case compare(FieldReference, Comparison, Value)
        case isNull(FieldReference)
        case words(FieldReference, SearchWords)
        case all([Test])
        case any([Test])
        case not(Test)
    }

    let test: Test
    let sort: [(reference: FieldReference, isDescending: Bool)]
    /// The place in the order after which the records begin; nil for the first record.
    let after: QueryCursor?

    init(_ query: Query, in collection: Collection) throws(SchemaError) {
        test = try Self.bind(
            query.condition ?? .all([]), in: collection, depth: Condition.maximumDepth)
        sort = try query.sort.map { (key) throws(SchemaError) in
            (try FieldReference(key.field, in: collection), key.isDescending)
        }
        after = try query.after.map { (text) throws(SchemaError) in
            try QueryCursor(text, of: query)
        }
    }

    private static func bind(
        _ condition: Condition, in collection: Collection, depth: Int
    ) throws(SchemaError) -> Test {
        guard depth > 0 else { throw .badValue(field: "condition") }
        switch condition {
        case .test(let name, .matches, .text(let text)):
            return .words(try FieldReference(name, in: collection), SearchWords(text))
        case .test(let name, let comparison, let value):
            return .compare(try FieldReference(name, in: collection), comparison, value)
        case .isNull(let name):
            return .isNull(try FieldReference(name, in: collection))
        case .all(let parts):
            return .all(
                try parts.map { (part) throws(SchemaError) in
                    try bind(part, in: collection, depth: depth - 1)
                })
        case .any(let parts):
            return .any(
                try parts.map { (part) throws(SchemaError) in
                    try bind(part, in: collection, depth: depth - 1)
                })
        case .not(let part):
            return .not(try bind(part, in: collection, depth: depth - 1))
        }
    }

    /// Returns true when a record meets the condition and comes after the place where the records
    /// begin.
    func admits(_ view: RecordView) -> Bool {
        Self.holds(test, for: view)
            && after.map { comes($0.keys, $0.id, before: keys(of: view), view.id) } ?? true
    }

    private static func holds(_ test: Test, for view: RecordView) -> Bool {
        switch test {
        case .compare(let reference, .notEqual, let operand):
            !reference.candidates(in: view).contains { Comparison.equal.holds($0, operand) }
        case .compare(let reference, let comparison, let operand):
            reference.candidates(in: view).contains { comparison.holds($0, operand) }
        case .isNull(let reference):
            reference.value(in: view) ?? .null == .null
        case .words(let reference, let words):
            reference.candidates(in: view).contains { holds(words, in: $0) }
        case .all(let parts): parts.allSatisfy { holds($0, for: view) }
        case .any(let parts): parts.contains { holds($0, for: view) }
        case .not(let part): !holds(part, for: view)
        }
    }

    /// Returns true when the words match a text, or one element of a set.
    private static func holds(_ words: SearchWords, in value: Value) -> Bool {
        switch value {
        case .text(let text): words.match(text)
        case .list(let values): values.contains { holds(words, in: $0) }
        default: false
        }
    }

    /// Returns the records in the order of the query.
    func sorted(_ views: [RecordView]) -> [RecordView] {
        guard !sort.isEmpty else {
            let isSorted = zip(views, views.dropFirst()).allSatisfy { $0.id < $1.id }
            return isSorted ? views : views.sorted { $0.id < $1.id }
        }
        let keyed = views.map { (keys: keys(of: $0), view: $0) }
        return keyed.sorted { comes($0.keys, $0.view.id, before: $1.keys, $1.view.id) }.map(\.view)
    }

    /// Returns the values by which a record is sorted.
    func keys(of view: RecordView) -> [Value] {
        sort.map { $0.reference.value(in: view) ?? .null }
    }

    private func comes(
        _ left: [Value], _ one: RecordID, before right: [Value], _ other: RecordID
    ) -> Bool {
        for (index, key) in sort.enumerated() {
            let (first, second) = (left[index], right[index])
            if key.reference.sortsMissingLast, (first == .null) != (second == .null) {
                return second == .null
            }
            if ValueOrder.sortsBefore(first, second) { return !key.isDescending }
            if ValueOrder.sortsBefore(second, first) { return key.isDescending }
        }
        return one < other
    }
}
