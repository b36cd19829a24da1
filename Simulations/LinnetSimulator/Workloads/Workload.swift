import LinnetCRDT
import LinnetReplication

/// The use that people make of an application: its versions, and their writes.
protocol Workload: Sendable {
    /// The versions of the application, oldest first.
    var schemas: [Schema] { get }
    /// One transaction that somebody wants.
    func write(_ random: inout SeededRandom, size: WriteSize) -> SimulatedWrite
    /// A tally of which every key counts once, whatever happens.
    var ledger: TallyLedger? { get }
    /// The deeds of two people on one record at about the same time; nothing where no such kind is.
    func encounter(_ kind: FaultKind, _ random: inout SeededRandom) -> [EncounterStep]
    /// A write to a scope that a device may leave; nil where there is none.
    func writeToLeave(_ random: inout SeededRandom) -> Write?
    /// A write to one of the records that large commits write; nil where there are none.
    func writeBeside(_ random: inout SeededRandom) -> Write?
    /// The habits of people over the whole time, in place of all other writing.
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
    func writeBeside(_ random: inout SeededRandom) -> Write? { nil }
}

/// The deed of one of two people.
struct EncounterStep {
    var isFirst: Bool
    var write: Write
}

/// The amount that one transaction writes.
enum WriteSize: Sendable {
    case few
    /// Several batches.
    case many
    /// A file of this many records.
    case records(Int)
}
