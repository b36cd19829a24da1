/// The place where the records of the domain lie: a home, or memory in an application's tests.
///
/// It is used within one transaction: nobody else writes between a reading and a commit.
public protocol MedicationRepository {
    /// The failures of the place itself.
    associatedtype Failure: Error

    /// Reads all records of the domain, folded.
    func book() throws(Failure) -> MedicationBook

    /// Writes a plan, all of it or nothing.
    mutating func commit(_ plan: MedicationPlan) throws(Failure)
}
