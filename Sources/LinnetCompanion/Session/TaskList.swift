/// The background tasks that the app has still to complete.
struct TaskList: Equatable, Sendable {
    struct Item: Equatable, Sendable {
        let id: UInt64
        /// The time at which the task is over; nil until the app runs.
        var deadlineUptimeMilliseconds: Int64?
        var isTold = false
    }

    private(set) var open: [Item] = []
    private var nextID: UInt64 = 1

    mutating func begin() -> UInt64 {
        defer { nextID += 1 }
        open.append(Item(id: nextID))
        return nextID
    }

    /// The app runs: from now on its time counts.
    mutating func start(deadlineUptimeMilliseconds deadline: Int64) {
        for index in open.indices where open[index].deadlineUptimeMilliseconds == nil {
            open[index].deadlineUptimeMilliseconds = deadline
        }
    }

    /// The tasks that the app has not been told of; now it is.
    mutating func tell() -> [UInt64] {
        let new = open.filter { !$0.isTold }.map(\.id)
        for index in open.indices { open[index].isTold = true }
        return new
    }

    /// False if there is no such task.
    mutating func complete(_ id: UInt64) -> Bool {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return false }
        open.remove(at: index)
        return true
    }

    /// The first task whose time is over.
    func overdue(atUptimeMilliseconds now: Int64) -> UInt64? {
        open.first { $0.deadlineUptimeMilliseconds.map { $0 <= now } ?? false }?.id
    }

    mutating func endAll() { open.removeAll() }

    var deadline: Int64? { open.compactMap(\.deadlineUptimeMilliseconds).min() }
}
