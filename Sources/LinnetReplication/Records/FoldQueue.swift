/// The slots of records that differ from their rows: those that the running fold is to write, and
/// those that changed since.
struct FoldQueue {
    /// The slots that changed since the running fold began, or since the last one when none runs.
    private(set) var fresh: [Int] = []
    /// The slots that the running fold has yet to write, the last one first.
    private(set) var due: [Int] = []

    /// The number of slots in it.
    var count: Int { fresh.count + due.count }

    /// Adds the slot of a record that equalled its row until now.
    mutating func add(_ slot: Int) { fresh.append(slot) }

    /// Begins a fold: the slots that are in the queue now are due, in the order that `sorted`
    /// gives.
    mutating func begin(_ sorted: ([Int]) -> [Int]) {
        precondition(due.isEmpty, "a fold was begun inside another")
        due = sorted(fresh)
        due.reverse()
        fresh.removeAll(keepingCapacity: true)
    }

    /// Returns the next slot that the running fold writes; nil when it has written all.
    mutating func next() -> Int? { due.popLast() }
}
