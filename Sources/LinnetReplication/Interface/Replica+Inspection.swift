package import LinnetCRDT
import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// The parts that those who check a replica from outside may read; nothing here changes it.
extension Replica {
    /// The store under the replica, from which others may read between two calls.
    package var storeForReading: any Store { store }
    /// The bytes of the membership records that are held.
    package var memberRecordBytes: Int {
        group?.log.records.reduce(0) { $0 + $1.encoded.count } ?? 0
    }

    /// Every chain as this replica knows it, by scope and name.
    package var chainRows: [ChainRow] { chains.rows.values }

    /// The author of what this life of the device writes.
    package var authorID: AuthorID { author.id }

    /// The last timestamp of the replica's clock.
    package var clockLast: Timestamp { author.clock.last }

    /// The number of stored batches that are known to be damaged.
    package var damagedBatches: Int {
        chains.damaged.table.values.reduce(0) { $0 + $1.elements.count }
    }
}
