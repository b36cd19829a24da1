import LinnetCRDT
import LinnetReplication
import LinnetStorage

/// The fingerprint of all records of a replica, for which a record that changed is read when
/// somebody asks, and not at each change.
struct StatePrint {
    private var value: UInt64 = 0
    private var marks: [RecordKey: UInt64] = [:]
    private var changed: Set<RecordKey> = []

    /// Notes that a record is not what it was.
    mutating func change(_ key: RecordKey) { changed.insert(key) }

    /// The fingerprint of the records, which are all that there are.
    mutating func value(of records: [RecordKey: RecordState]) -> UInt64 {
        // The marks are joined by a sum without an order.
        for key in changed {
            let mark = records[key].map { Self.mark(of: $0, key) }
            value ^= (marks.removeValue(forKey: key) ?? 0) ^ (mark ?? 0)
            marks[key] = mark
        }
        changed.removeAll(keepingCapacity: true)
        return value
    }

    private static func mark(of state: RecordState, _ key: RecordKey) -> UInt64 {
        var hash = TraceHash()
        hash.add(UInt64(key.collection))
        hash.add(key.record.utf8)
        hash.add(UInt64(state.generation))
        hash.add(state.encoded)
        return hash.value
    }
}
