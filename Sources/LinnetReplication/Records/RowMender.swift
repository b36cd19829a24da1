import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Rows that were met and do not hold what was written last, with what the log says instead, until
/// the next call that may write.
///
/// A class, so that those who only read a replica can use it.
final class RowMender {
    /// A record whose row is to be written anew.
    struct Mended {
        let row: Int64
        let state: RecordState
        /// Batches that are damaged as well, so that something may be missing.
        let losses: [LogReplay.Step]
    }

    private var rows: OrderedTable<RecordKey, Mended> = OrderedTable()
    /// Whether a row was met of which nobody knows whose it is: only a look at all finds that.
    var wantsCheck = false

    /// Whether something is to be done.
    var isDue: Bool { !rows.isEmpty || wantsCheck }

    /// What the log said of a record.
    subscript(key: RecordKey) -> Mended? {
        get { rows[key] }
        set { rows[key] = newValue }
    }

    /// Hands out what is to be done, in order.
    func take() -> OrderedTable<RecordKey, Mended> {
        defer { rows.removeAll() }
        return rows
    }
}
