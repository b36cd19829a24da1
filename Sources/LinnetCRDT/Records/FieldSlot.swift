/// Where the content of a field stands within a record: one for each field and each time that the
/// record was created anew.
package struct FieldSlot: Hashable, Comparable, Sendable {
    /// The field's number; 0 for what belongs to the record as a whole.
    package let field: UInt32
    /// The generation in which the record began without what it had before.
    package let beginning: UInt32

    /// Names a slot.
    package init(field: UInt32, beginning: UInt32) {
        self.field = field
        self.beginning = beginning
    }

    /// Order by field, then beginning.
    package static func < (left: FieldSlot, right: FieldSlot) -> Bool {
        left.bits < right.bits
    }

    private var bits: UInt64 { UInt64(field) << 32 | UInt64(beginning) }
}

/// What the ops on one field merged into.
package enum FieldContent: Equatable, Sendable {
    /// The latest change: of a single value, a group or an order.
    case register(FieldState)
    /// The values that no later write replaced.
    case values(MultiValue)
    /// Keyed amounts and a base.
    case tally(Tally)
    /// The elements of a set.
    case elements(ElementSet)
    /// A text.
    case text(TextDocument)
    /// A record of a log, under the field 0.
    case log(LogEntries)
    /// Which writes of the record are known, under the field 0, where an update may outlive a
    /// delete.
    case writes(CausalContext)

    /// How much memory the content takes beside its place, about, in bytes.
    var footprint: Int {
        switch self {
        case .register(let state): state.payload.count
        case .values(let values): 64 * values.positions.count
        case .tally(let tally): 128 * tally.keyCount
        case .elements(let elements): 96 * elements.count
        case .text(let text): 128 + 8 * text.scalarCount
        case .log(let log): log.entries.reduce(0) { $0 + $1.payload.count }
        case .writes(let writes): 40 * writes.lasts.count
        }
    }

    /// Takes out what an op in another generation of the field names.
    mutating func drop(_ named: [Position], of key: ByteString) {
        switch self {
        case .values(var values):
            values.drop(named)
            self = .values(values)
        case .tally(var tally):
            tally.drop(named, of: key)
            self = .tally(tally)
        case .elements(var elements):
            elements.drop(named, of: key)
            self = .elements(elements)
        case .register, .text, .log, .writes: break
        }
    }

    /// Whether an op of another generation was named here before it came.
    func awaits(_ position: Position, of key: ByteString) -> Bool {
        switch self {
        case .values(let values): values.awaits(position)
        case .tally(let tally): tally.awaits(position, of: key)
        case .elements(let elements): elements.awaits(position, of: key)
        case .register, .text, .log, .writes: false
        }
    }

    /// Joins what was merged apart from it, in another generation of the record: nothing here was
    /// seen there, so that nothing of it may count as removed.
    package mutating func adopt(_ other: FieldContent) {
        switch (self, other) {
        case (.values(var mine), .values(let theirs)):
            mine.join(theirs)
            self = .values(mine)
        case (.tally(var mine), .tally(let theirs)):
            mine.join(theirs)
            self = .tally(mine)
        case (.elements(var mine), .elements(let theirs)):
            mine.join(theirs)
            self = .elements(mine)
        case (.text(var mine), .text(let theirs)):
            mine.merge(theirs)
            self = .text(mine)
        case (.log(var mine), .log(let theirs)):
            mine.merge(theirs)
            self = .log(mine)
        case (.writes(var mine), .writes(let theirs)):
            mine.merge(theirs)
            self = .writes(mine)
        case (.register(let mine), .register(let theirs)):
            if theirs.precedence.wins(over: mine.precedence) { self = other }
        default:
            break
        }
    }
}
