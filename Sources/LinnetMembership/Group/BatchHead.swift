package import LinnetWire

/// A batch of a device, which vouches for itself and those below it in its chain.
package struct BatchHead: Equatable, Comparable, Sendable {
    /// Most heads in one record.
    static let most = 256
    /// Most heads in a record that this version signs, which leaves room for an epoch.
    package static let usual = 200

    /// The incarnation of the device that wrote it.
    package let incarnation: Bytes8
    /// The scope of its chain.
    package let scope: Bytes16
    /// Its place in the chain.
    package let sequence: UInt64
    /// Its hash.
    package let batch: Bytes32

    /// Names a batch.
    package init(incarnation: Bytes8, scope: Bytes16, sequence: UInt64, batch: Bytes32) {
        self.incarnation = incarnation
        self.scope = scope
        self.sequence = sequence
        self.batch = batch
    }

    package static func < (first: BatchHead, second: BatchHead) -> Bool {
        (first.incarnation, first.scope, first.sequence, first.batch)
            < (second.incarnation, second.scope, second.sequence, second.batch)
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.array(exactly: 4)
        incarnation = try reader.bytes8()
        scope = try reader.bytes16()
        sequence = try reader.unsigned()
        batch = try reader.bytes32()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.bytes(incarnation)
        writer.bytes(scope)
        writer.unsigned(sequence)
        writer.bytes(batch)
    }

    static func list(from reader: inout CBORReader) throws(WireError) -> [BatchHead] {
        let heads = try reader.list(max: most) { (reader) throws(WireError) in
            try BatchHead(from: &reader)
        }
        guard zip(heads, heads.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .nonCanonical }
        return heads
    }

    static func write(_ heads: [BatchHead], to writer: inout CBORWriter) {
        writer.array(heads.count)
        for head in heads { head.write(to: &writer) }
    }
}
