import LinnetCRDT
import LinnetWire

/// An event of the log in a few numbers: what it takes to find the events of a dose.
struct DoseEntry: Comparable, Sendable {
    /// Milliseconds of the scheduled instant, the slot, or the event itself.
    let scheduled: Int64
    /// The number of the schedule, or of the medication where there is none.
    let source: Int32
    /// The part of the key that tells kinds of doses apart: `ofSchedule`, `asNeeded`, or the number
    /// of an additional one.
    let part: Int32
    /// The place of the record among all.
    let record: Int32
    /// The number of the medication.
    let medication: Int32
    /// Milliseconds of when it happened.
    let at: Int64
    /// The kind of event; nil for one that only a newer version knows.
    let kind: DoseEventKind?

    static let ofSchedule: Int32 = 0
    static let asNeeded: Int32 = 1
    static let firstAdditional: Int32 = 2

    /// Returns true when both are about one dose.
    func isSameDose(as other: DoseEntry) -> Bool {
        scheduled == other.scheduled && source == other.source && part == other.part
    }

    static func < (left: DoseEntry, right: DoseEntry) -> Bool {
        if left.scheduled != right.scheduled { return left.scheduled < right.scheduled }
        if left.source != right.source { return left.source < right.source }
        if left.part != right.part { return left.part < right.part }
        return left.record < right.record
    }
}

/// Numbers for identifiers, given out in the order in which they are first seen.
struct NameNumbers: Sendable {
    private var numbers = OrderedTable<RecordID, Int32>()
    /// The identifiers by their numbers.
    private(set) var names: [RecordID] = []
    /// Texts in ASCII and their numbers by their last bytes: logs name few things many times.
    private var recent: [(text: String, number: Int32)?] = Array(repeating: nil, count: 64)

    /// The number of an identifier; nil for a text that is none.
    mutating func number(of text: String) -> Int32? {
        let slot = Int(text.utf8.last ?? 0) & 63
        // A text that equals one in ASCII and has as many bytes is the same.
        if let known = recent[slot], known.text.utf8.count == text.utf8.count, known.text == text {
            return known.number
        }
        guard let name = RecordID(text) else { return nil }
        let found = number(of: name)
        if text.utf8.allSatisfy({ $0 < 0x80 }) { recent[slot] = (text, found) }
        return found
    }

    /// The number of an identifier.
    mutating func number(of name: RecordID) -> Int32 {
        if let number = numbers[name] { return number }
        let number = Int32(clamping: names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    /// The number of an identifier that was seen before.
    func known(_ name: RecordID) -> Int32? { numbers[name] }
}
