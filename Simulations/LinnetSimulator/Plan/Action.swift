import LinnetReplication

/// One thing that happens to a fleet at a moment; all of them are drawn before the run, so that a
/// failing run can be shrunk by leaving some out.
struct Action: Sendable {
    /// Milliseconds since the start.
    var time: Int64
    var kind: Kind
    /// The seed from which the details of its execution are drawn.
    var salt: UInt64

    enum Kind: Sendable {
        case write(device: Int, SimulatedWrite)
        case flush(device: Int)
        case meet(Int, Int, lasting: Int64, Weather)
        case pair(newcomer: Int, member: Int, PairingWay)
        case crash(device: Int, CrashPoint, downFor: Int64)
        case storm(device: Int, Int)
        case suspend(device: Int, Int64)
        case clock(device: Int, ClockChange)
        case disk(device: Int, DiskTrouble)
        case block([Route], lasting: Int64, FaultKind)
        case backUp(device: Int)
        case restore(device: Int, RestoreWay)
        case clone(device: Int, withWitness: Bool)
        case change(device: Int, version: Int)
        case garbage(device: Int)
        case replay(device: Int)
        case deed(device: Int, MedicationDeed)
        case file(device: Int, FileStep)
        case editor(device: Int, EditorStep)
        case lane(LaneStep)
        case widget(device: Int, WidgetStep)
        case takeOver(device: Int)
        case sabotage(SabotageKind, victim: Int)
        case member(MemberStep)
    }
}

/// A transaction that a person or an application wants.
struct SimulatedWrite: Sendable {
    var writes: [Write]
    var isRelaxed = false
    /// Named when the writer retries until it knows the outcome.
    var intent: Int?
}

enum PairingWay: Sendable { case code, wrongCode, ticket }

enum CrashPoint: Sendable {
    case now(power: Bool)
    case diskCall(Int)
    case effect(Int, power: Bool)
}

enum ClockChange: Sendable {
    case step(Int64)
    case drift(Int64)
    case freeze, thaw
}

enum DiskTrouble: Sendable {
    case syncFailure(Int)
    case writeError(Int)
    case readError(Int)
    case full(afterBytes: Int)
    case empty
    case rot
    case loss(BatchLoss)
    /// Reads of the next opening fail: where, in thousandths of it, and how many in a row.
    case failedOpening(after: Int, reads: Int)
}

/// A loss of rows of batches that the disk's own device wrote.
struct BatchLoss: Sendable {
    /// The most batches that are lost.
    var most: Int
    /// True when a byte of each changes; otherwise the rows are gone.
    var isChange: Bool
    /// True when they may be batches that others have; what is known of others goes then, too.
    var forgetsPeers: Bool
    /// True when they are the newest ones.
    var isOfNewest: Bool
}

enum RestoreWay: Sendable { case newerWitness, withoutWitness, wholeMachine }

/// One direction between two devices.
struct Route: Hashable, Sendable {
    var from: Int
    var to: Int
}

/// The treatment of messages on a link; chances are in a thousand.
struct Weather: Sendable {
    var latency: ClosedRange<Int> = 1...30
    var reorder = 0
    var duplicate = 0
    var drop = 0
    var truncate = 0
    var flip = 0
    var drips = false
    var halfOpen = false
    /// The number of times that a lost link is dialled again within the meeting.
    var redials = 0

    static let calm = Weather()
    var isCalm: Bool {
        reorder + duplicate + drop + truncate + flip == 0 && !drips && !halfOpen
    }
}

extension Write {
    /// The deletion of what is written.
    var deletion: Write {
        .delete(collection: key.collection, record: key.record)
    }
}
