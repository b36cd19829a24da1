/// The rule for the scope in which the records of a collection are replicated. The scope is a
/// function of the collection and the record's identifier, so that it is fixed when the record is
/// created.
public enum ScopeRule: Equatable, Sendable {
    /// All records are in one scope, to which every replica subscribes.
    case always(String)
    /// All records are in one scope, to which a replica may or may not subscribe.
    case optional(String)
    /// Each part of the identifiers has a scope, called by the name, a slash and the part.
    case divided(String, by: Division)

    /// The name of the scope; of divided scopes, the beginning that all their names share.
    public var name: String {
        switch self {
        case .always(let name), .optional(let name), .divided(let name, _): name
        }
    }

    /// The required beginning of identifiers, for messages.
    package var expected: String {
        if case .divided(_, let division) = self { division.expected } else { "anything" }
    }

    /// True when every replica holds the records.
    public var isAlways: Bool {
        if case .always = self { true } else { false }
    }

    /// Returns the scope of a record; nil when its identifier does not begin as the rule asks.
    public func scope(of record: RecordID) -> String? {
        switch self {
        case .always(let name), .optional(let name): name
        case .divided(let name, let division): division.part(of: record).map { name + "/" + $0 }
        }
    }

    /// Returns the bytes with which the identifiers of a scope's records begin; none where one
    /// scope has all records.
    package func prefix(of scope: String) -> [UInt8] {
        guard case .divided(let name, let division) = self else { return [] }
        let part = Array(scope.utf8.dropFirst(name.utf8.count + 1))
        return division == .segment ? part + [0x2f] : part
    }

    /// Returns true when a scope of this name may hold records under the rule.
    public func covers(_ scope: String) -> Bool {
        switch self {
        case .always(let name), .optional(let name):
            name.utf8.elementsEqual(scope.utf8)
        case .divided(let name, let division):
            scope.utf8.starts(with: (name + "/").utf8)
                && division.isPart(Array(scope.utf8.dropFirst(name.utf8.count + 1)))
        }
    }
}

/// The way in which identifiers are divided among scopes.
public enum Division: UInt8, Equatable, Sendable {
    /// They are divided by year, and begin with YYYY, as in a date of ISO 8601.
    case year = 1
    /// They are divided by month, and begin with YYYY-MM.
    case month = 2
    /// They are divided by day, and begin with YYYY-MM-DD.
    case day = 3
    /// They are divided by the part before the first slash.
    case segment = 4

    /// The required beginning of identifiers, for messages.
    public var expected: String {
        switch self {
        case .year: "YYYY"
        case .month: "YYYY-MM"
        case .day: "YYYY-MM-DD"
        case .segment: "a part and a slash"
        }
    }

    /// Returns the part of an identifier that names its scope; nil if it has none.
    func part(of record: RecordID) -> String? {
        let bytes = record.utf8
        let count: Int
        switch self {
        case .segment:
            guard let slash = bytes.firstIndex(of: 0x2f), slash > 0 else { return nil }
            count = slash
        case .year: count = 4
        case .month: count = 7
        case .day: count = 10
        }
        guard bytes.count >= count, self == .segment || isDate(bytes[..<count]) else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Returns true when the bytes are a whole part.
    func isPart(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .segment: !bytes.isEmpty && !bytes.contains(0x2f)
        case .year: bytes.count == 4 && isDate(bytes[...])
        case .month: bytes.count == 7 && isDate(bytes[...])
        case .day: bytes.count == 10 && isDate(bytes[...])
        }
    }

    /// Returns true for digits with dashes where a date has them; the day need not exist.
    private func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.allSatisfy { index in
            let place = index - bytes.startIndex
            let isDash = place == 4 || place == 7
            return isDash ? bytes[index] == 0x2d : (0x30...0x39).contains(bytes[index])
        }
    }
}
