import LinnetCRDT
import LinnetStorage
package import LinnetWire

/// The stored batches that a member lacks, by what it said last.
package struct MemberLack: Equatable, Sendable {
    /// The records of a collection that these batches change.
    package struct Part: Equatable, Sendable {
        /// The number of the collection.
        package let collection: UInt32
        /// The number of different records.
        package let records: UInt64
    }

    /// The device.
    package let device: DeviceID
    /// The number of batches.
    package let batches: UInt64
    /// The number of these that were opened to find their records: the newest of each chain.
    package let opened: UInt64
    /// The records of the opened ones, by collection.
    package let parts: [Part]
}

/// The batches of one chain that a member lacks.
struct LackedBatches {
    let row: ChainRow
    /// Their sequence numbers; never empty.
    let seqs: ClosedRange<UInt64>
}

/// The place of a batch that somebody lacks.
struct LackedPlace: Comparable {
    let key: ChainKey
    let seq: UInt64

    static func < (left: LackedPlace, right: LackedPlace) -> Bool {
        (left.key, left.seq) < (right.key, right.seq)
    }
}
