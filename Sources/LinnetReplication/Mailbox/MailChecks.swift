import LinnetWire

/// The turns of looking again at what lies in a mailbox, since what was whole when it was read back
/// may have been damaged where it lies.
struct MailChecks {
    /// No more objects are got in a round to see whether they are whole once they are so many, or
    /// have so many bytes.
    static let objects = 16
    static let bytes = 4 << 20
    /// The most rounds between two checks.
    private static let longestPause = 16

    /// An object, and what shows that it is whole.
    enum Object: Equatable {
        case head(MailName)
        /// A bridge or door, which follows from the records.
        case made(MailObject)
        case pack(PackReference)

        var name: MailName {
            switch self {
            case .head(let name): name
            case .made(let object): object.name
            case .pack(let reference): reference.name
            }
        }
    }

    private var pause = 0
    /// The round from which on the next check may be.
    private var due = 0
    /// The place of the object that is looked at next.
    private var place: Int?
    private var got = MailAmount()

    /// Returns whether there is a check in this round: in the first one, after 1, 2, 4 and 8
    /// rounds, then after every 16.
    mutating func begin(round: Int) -> Bool {
        got = MailAmount()
        guard round >= due else { return false }
        pause = min(max(1, 2 * pause), Self.longestPause)
        due = round + pause
        return true
    }

    /// Has the next round check: a person asks.
    mutating func hurry() { due = 0 }

    /// Notes that something was left in a round, which is looked at in the next one.
    mutating func left(in round: Int) { (pause, due) = (1, round + 1) }

    /// Puts objects in the order in which they are looked at, the last one first.
    ///
    /// - Parameter start: the place at which a device begins that was opened just now.
    mutating func order(_ objects: [Object], start: UInt64) -> [Object] {
        guard !objects.isEmpty else { return [] }
        let first = (place ?? Int(start % UInt64(objects.count))) % objects.count
        place = first
        return (objects[first...] + objects[..<first]).reversed()
    }

    /// True while more objects may be got in this round.
    var mayGoOn: Bool { got.objects < Self.objects && got.bytes < Self.bytes }

    /// Notes that an object was got, in its turn or out of it.
    mutating func note(_ bytes: Int, isInTurn: Bool) {
        got.add(bytes)
        if isInTurn, let place { self.place = place + 1 }
    }
}
