import LinnetStorage
import LinnetWire

/// Batches that wait, by author and scope, then by sequence, then in the order they came.
struct PendingShelf {
    private(set) var queues: [PendingQueue] = []
    private var owners: [BatchID: PendingQueue.Key] = [:]
    private(set) var totals = Totals(count: 0, bytes: 0)

    /// True when a batch waits.
    func contains(_ id: BatchID) -> Bool { owners[id] != nil }

    /// The waiting batches of one author in one scope; nil when there are none.
    func queue(_ key: PendingQueue.Key) -> PendingQueue? {
        let place = queues.lowerBound { $0.key < key }
        return place < queues.count && queues[place].key == key ? queues[place] : nil
    }

    /// Adds a batch that does not wait yet, at a place in its queue or behind its sequence.
    mutating func insert(_ row: PendingRow, at place: Int? = nil) {
        let key = PendingQueue.Key(
            scope: row.scope, device: row.device, incarnation: row.incarnation)
        let queue = queues.lowerBound { $0.key < key }
        if queue == queues.count || queues[queue].key != key {
            queues.insert(PendingQueue(key: key), at: queue)
        }
        queues[queue].insert(row, at: place)
        owners[row.id] = key
        totals.count += 1
        totals.bytes += row.size
    }

    /// Takes away a batch; returns it and its place in its queue, or nil when it does not wait.
    mutating func remove(_ id: BatchID) -> (row: PendingRow, place: Int)? {
        guard let key = owners.removeValue(forKey: id) else { return nil }
        let queue = queues.lowerBound { $0.key < key }
        guard let place = queues[queue].rows.firstIndex(where: { $0.id == id }) else { return nil }
        let row = queues[queue].remove(at: place)
        if queues[queue].rows.isEmpty { queues.remove(at: queue) }
        totals.count -= 1
        totals.bytes -= row.size
        return (row, place)
    }
}

/// The waiting batches of one author in one scope.
struct PendingQueue {
    /// The author and the scope, ordered bytewise.
    struct Key: Comparable {
        let scope: ScopeID
        let device: DeviceID
        let incarnation: Incarnation

        static func < (left: Key, right: Key) -> Bool {
            (left.scope, left.device, left.incarnation)
                < (right.scope, right.device, right.incarnation)
        }
    }

    let key: Key
    private(set) var rows: [PendingRow] = []
    private(set) var bytes = 0

    init(key: Key) { self.key = key }

    /// The number of waiting batches, and their bytes.
    var totals: Totals { Totals(count: rows.count, bytes: bytes) }

    /// Adds a batch, at a place or behind those of its sequence.
    mutating func insert(_ row: PendingRow, at place: Int?) {
        rows.insert(row, at: place ?? rows.lowerBound { $0.seq <= row.seq })
        bytes += row.size
    }

    /// Takes away the batch at a place.
    mutating func remove(at place: Int) -> PendingRow {
        let row = rows.remove(at: place)
        bytes -= row.size
        return row
    }
}
