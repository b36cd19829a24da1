public import LinnetMedication
import LinnetReplication

/// The medication domain's records in a home, within a transaction: the repository of an app.
public struct HomeMedication: MedicationRepository {
    /// The failure of the transaction.
    public typealias Failure = LinnetError

    private let transaction: LiveTransaction

    init(_ transaction: LiveTransaction) {
        self.transaction = transaction
    }

    /// Reads all records of the domain, as they are visible in the transaction.
    public func book() throws(LinnetError) -> MedicationBook {
        try transaction.perform { (node) throws(LinnetError) in try node.medicationBook() }
    }

    /// Writes a plan. After an error nothing of the whole transaction remains.
    public mutating func commit(_ plan: MedicationPlan) throws(LinnetError) {
        try transaction.write(plan.writes.map(WriteRequest.changes))
    }
}

extension LiveTransaction {
    /// The medication domain's records, for a `MedicationDiary`.
    public var medication: HomeMedication { HomeMedication(self) }
}
