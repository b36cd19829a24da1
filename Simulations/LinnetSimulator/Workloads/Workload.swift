import LinnetCRDT
import LinnetReplication

/// What people do with an application: its versions, and what they write.
protocol Workload: Sendable {
    /// The versions of the application, oldest first.
    var schemas: [Schema] { get }
    /// One transaction that somebody wants.
    func write(_ random: inout SeededRandom, size: WriteSize) -> SimulatedWrite
    /// A tally of which every key counts once, whatever happens.
    var ledger: TallyLedger? { get }
    /// What two people do to one record at about the same time; nothing where no such kind is.
    func encounter(_ kind: FaultKind, _ random: inout SeededRandom) -> [EncounterStep]
    /// A write to a scope that a device may leave; nil where there is none.
    func writeToLeave(_ random: inout SeededRandom) -> Write?
    /// What people do by habit over the whole time, in place of all other writing.
    func habits(
        devices: Int, duration: Int64, _ random: inout SeededRandom
    ) -> [(time: Int64, kind: Action.Kind)]?
}

extension Workload {
    var ledger: TallyLedger? { nil }
    func habits(
        devices: Int, duration: Int64, _ random: inout SeededRandom
    ) -> [(time: Int64, kind: Action.Kind)]? { nil }
    func encounter(_ kind: FaultKind, _ random: inout SeededRandom) -> [EncounterStep] { [] }
    func writeToLeave(_ random: inout SeededRandom) -> Write? { nil }
}

/// What one of two people does.
struct EncounterStep {
    var isFirst: Bool
    var write: Write
}

/// How much one transaction writes.
enum WriteSize: Sendable {
    case few
    /// Several batches.
    case many
    /// A file of this many records.
    case records(Int)
}
