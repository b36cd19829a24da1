import LinnetReplication

/// The events of a run after which all records of every device are looked at.
///
/// A look costs what there is by then, so that looks lie further apart the longer a run lasts; in
/// the runs of a swarm, which have some ten thousand events, all are equally close.
struct Looks {
    private static let eventsBetween = 1_000
    private static let looksAtEachDistance = 16

    /// How many there were.
    private(set) var count = 0
    private var next = eventsBetween

    /// Whether the next one is due, which is then counted.
    mutating func isDue(after events: Int) -> Bool {
        guard events >= next else { return false }
        count += 1
        next = events + Self.eventsBetween * (1 + count / Self.looksAtEachDistance)
        return true
    }
}

/// The turns of records that were written to many times.
///
/// A fold reads every operation of a record, so that folds at each of them would take the square of
/// their number: for each so many operations one turn more is left out.
struct FoldTurns {
    private static let operationsForEach = 64

    private var turns: [RecordKey: Int] = [:]

    /// Whether a record of so many operations is folded at this turn of it.
    mutating func isDue(_ key: RecordKey, operations: Int) -> Bool {
        let rounds = operations / Self.operationsForEach
        guard rounds > 0 else { return true }
        turns[key, default: 0] += 1
        return turns[key, default: 0].isMultiple(of: rounds + 1)
    }
}
