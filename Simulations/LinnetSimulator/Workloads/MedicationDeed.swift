import LinnetCRDT

/// The wish of a person in the medication application: the device works out what to write.
struct MedicationDeed: Sendable {
    enum Kind: Sendable {
        /// A medication with the times of its doses and its first stock.
        case add(times: [Int], zone: String)
        case take, additional, skip, snooze, undo
        case refill(Int), recount(Int)
        /// The device finds itself in another zone.
        case notice(zone: String)
        /// 0: local time, 1: home time, 2: gradual.
        case decide(strategy: Int)
    }

    /// Names the wish; whoever taps twice or tries again repeats it.
    var number: Int
    /// The number of the medication.
    var medication: Int
    var kind: Kind

    /// The name of the wish in identifiers.
    var name: String { "deed\(number)" }

    /// The intent of the commit.
    var intent: [UInt8] { Array(name.utf8) }

    /// The identifier of a medication, which is that of its schedule, too.
    static func id(_ medication: Int) -> RecordID {
        guard let id = RecordID("deed\(medication)") else {
            preconditionFailure("letters and digits are legal")
        }
        return id
    }
}
