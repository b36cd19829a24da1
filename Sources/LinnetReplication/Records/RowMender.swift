import LinnetCRDT
import LinnetWire

/// The rows that were found damaged, with their records as the log has them, until the next call
/// that may write.
///
/// It is a class, so that calls that only read a replica can use it.
final class RowMender {
    /// A record whose row is to be written anew.
    struct Mended {
        let row: Int64
        let state: RecordState
        /// The batches that are damaged as well, so that something may be missing.
        let losses: [LogReplay.Step]
    }

    private var rows: OrderedTable<RecordKey, Mended> = OrderedTable()
    /// True when a row was found of which nobody knows whose it is, since only a check of all rows
    /// finds that out.
    var wantsCheck = false

    /// True when something is to be done.
    var isDue: Bool { !rows.isEmpty || wantsCheck }

    /// The record of a damaged row as the log has it.
    subscript(key: RecordKey) -> Mended? {
        get { rows[key] }
        set { rows[key] = newValue }
    }

    /// Takes out the rows that are to be written anew, in order.
    func take() -> OrderedTable<RecordKey, Mended> {
        defer { rows.removeAll() }
        return rows
    }
}
