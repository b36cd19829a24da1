import LinnetCRDT
import LinnetStorage
package import LinnetWire

/// The receipt of a transaction.
package struct CommitReceipt: Equatable, Sendable {
    /// The name of the commit; zero when there was nothing to change.
    package var commit: CommitID
    /// The number of batches that carry it.
    package var batches: Int
    /// The number of operations that it holds.
    package var operations: Int
    /// True when it survives a power cut.
    package var durable: Bool
    /// True when the intent had been carried out before, with this outcome.
    package var repeated: Bool
    /// The changes of it that did not show here when it was carried out; nil when an earlier
    /// release, which did not note that, carried it out.
    package var hidden: HiddenOperations?

    /// The receipt as the store keeps it for a retry.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(hidden == nil ? 3 : 5)
        writer.bytes(commit)
        writer.unsigned(UInt64(batches))
        writer.unsigned(UInt64(operations))
        hidden?.write(to: &writer)
        return writer.bytes
    }

    init(
        commit: CommitID, batches: Int, operations: Int, durable: Bool, hidden: HiddenOperations
    ) {
        self.commit = commit
        self.batches = batches
        self.operations = operations
        self.durable = durable
        self.hidden = hidden
        repeated = false
    }

    /// Reads the receipt of an earlier try.
    init(repeating bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        let count = try reader.array(max: 5)
        guard count == 3 || count == 5 else { throw .badLength }
        commit = try reader.bytes16()
        batches = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        operations = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        hidden = count == 5 ? try HiddenOperations(from: &reader) : nil
        try reader.finish()
        durable = true
        repeated = true
    }
}
