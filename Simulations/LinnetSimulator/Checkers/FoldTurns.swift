import LinnetReplication

/// The turns of records that were written to many times.
///
/// A fold reads every operation of a record, so that folds at each of them would take the square of
/// their number: for each so many operations one turn more is left out.
struct FoldTurns {
    private static let operationsForEach = 64

    private var turns: [RecordKey: Int] = [:]

    /// Counts a turn of a record of so many operations; true when it is folded at this one.
    mutating func isDue(_ key: RecordKey, operations: Int) -> Bool {
        let rounds = operations / Self.operationsForEach
        guard rounds > 0 else { return true }
        turns[key, default: 0] += 1
        return turns[key, default: 0].isMultiple(of: rounds + 1)
    }
}
