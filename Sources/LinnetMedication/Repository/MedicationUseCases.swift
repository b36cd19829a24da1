public import LinnetCRDT

/// The deeds of a person with medicines, as a view or a button asks for them.
///
/// Each has an intent: 1 to 39 bytes that name this wish and no other. A deed that is done again
/// under its intent, here or on another device, changes nothing. Each returns the plan that was
/// written, whose `isDone` says that all of it was so before.
public protocol MedicationUseCases {
    /// The reasons for which nothing was changed.
    associatedtype Failure: Error

    /// Reads all that is known.
    func book() throws(Failure) -> MedicationBook

    /// Adds a medication, with its schedule and first stock where these are given.
    mutating func add(
        _ draft: MedicationDraft, timing: TimingDraft, stock: Decimal64?, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Gives a medication other values, and its only active schedule other times.
    mutating func edit(
        _ medication: RecordID, _ draft: MedicationDraft, timing: TimingDraft, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Ends a medication: nothing is due any more, what was recorded stays.
    mutating func stop(
        _ medication: RecordID, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Deletes a medication that was stopped before; its history is kept.
    mutating func delete(
        _ medication: RecordID, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Brings a stopped or deleted medication back, with its schedules from now on.
    mutating func restore(
        _ medication: RecordID, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Adds to the stock.
    mutating func refill(
        _ medication: RecordID, by amount: Decimal64, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Sets the stock to what was counted.
    mutating func recount(
        _ medication: RecordID, to amount: Decimal64, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Records a dose as taken.
    mutating func take(
        _ medication: RecordID, _ note: DoseNote, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Records a dose as left out on purpose.
    mutating func skip(
        _ medication: RecordID, reason: SkipReason?, _ note: DoseNote, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Puts a dose off for ten minutes.
    mutating func snooze(
        _ medication: RecordID, _ note: DoseNote, intent: String
    ) throws(Failure) -> MedicationPlan

    /// Takes back the last thing that was recorded of a medication, or of one dose of it.
    mutating func undo(
        _ medication: RecordID, _ note: DoseNote, intent: String
    ) throws(Failure) -> MedicationPlan
}
