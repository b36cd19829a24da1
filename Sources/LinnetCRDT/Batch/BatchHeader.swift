package import LinnetWire

/// The part of a batch that everybody may read: who wrote it, where it stands, how it is sealed.
package struct BatchHeader: Equatable, Sendable {
    /// The format of batches that whoever has the data key reads.
    package static let format: UInt64 = 1
    /// The format of batches that whoever has the key of their scope's root reads.
    package static let scopedFormat: UInt64 = 2
    /// The length of a nonce in bytes.
    package static let nonceBytes = 24

    /// Enough room for the encoded bytes.
    private static var encodedBytes: Int { 224 }

    /// The group.
    package let group: GroupID
    /// The device that signs.
    package let device: DeviceID
    /// The device's incarnation; device and incarnation together are the author.
    package let incarnation: Incarnation
    /// The scope under its opaque name.
    package let scope: ScopeID
    /// The number within (scope, author), from 1.
    package let seq: UInt64
    /// The id of the batch before it; zero for the first.
    package let prev: BatchID
    /// The epoch whose data key seals the batch.
    package let epoch: EpochID
    /// The nonce of the ciphertext, 24 bytes.
    package let nonce: [UInt8]
    /// The root of the scope, by whose key a batch of format 2 is sealed; nil in format 1.
    package let root: ScopeID?

    /// Joins the parts; the nonce has 24 bytes, and `prev` is zero exactly for number 1.
    package init(
        group: GroupID, device: DeviceID, incarnation: Incarnation, scope: ScopeID, seq: UInt64,
        prev: BatchID, epoch: EpochID, nonce: [UInt8], root: ScopeID? = nil
    ) {
        precondition(nonce.count == BatchHeader.nonceBytes, "a nonce has 24 bytes")
        precondition(
            BatchHeader.isLegal(seq: seq, prev: prev), "the first batch alone has no predecessor")
        self.group = group
        self.device = device
        self.incarnation = incarnation
        self.scope = scope
        self.seq = seq
        self.prev = prev
        self.epoch = epoch
        self.nonce = nonce
        self.root = root
    }

    /// The canonical bytes: an array of the format and its parts in order.
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: Self.encodedBytes)
        writer.array(root == nil ? 9 : 10)
        writer.unsigned(root == nil ? BatchHeader.format : BatchHeader.scopedFormat)
        writer.bytes(group)
        writer.bytes(device)
        writer.bytes(incarnation)
        writer.bytes(scope)
        writer.unsigned(seq)
        writer.bytes(prev)
        writer.bytes(epoch)
        writer.bytes(nonce)
        if let root { writer.bytes(root) }
        return writer.bytes
    }

    /// Reads the bytes of one header and nothing else.
    package static func decode(_ bytes: [UInt8]) throws(CRDTError) -> BatchHeader {
        var reader = CBORReader(bytes)
        let count = try wire { () throws(WireError) in try reader.array() }
        let format = try wire { () throws(WireError) in try reader.unsigned() }
        let isScoped = format == BatchHeader.scopedFormat
        guard isScoped || format == BatchHeader.format else { throw .unknownFormat }
        guard count == (isScoped ? 10 : 9) else { throw .wire(.badLength) }
        let header = try wire { () throws(WireError) in
            try BatchHeader(parts: &reader, isScoped: isScoped)
        }
        guard isLegal(seq: header.seq, prev: header.prev) else { throw .badSequence }
        return header
    }

    private init(parts reader: inout CBORReader, isScoped: Bool) throws(WireError) {
        group = try reader.bytes32()
        device = try reader.bytes32()
        incarnation = try reader.bytes8()
        scope = try reader.bytes16()
        seq = try reader.unsigned()
        prev = try reader.bytes32()
        epoch = try reader.bytes32()
        nonce = try reader.bytes(max: BatchHeader.nonceBytes)
        guard nonce.count == BatchHeader.nonceBytes else { throw .badLength }
        root = isScoped ? try reader.bytes16() : nil
        try reader.finish()
    }

    private static func isLegal(seq: UInt64, prev: BatchID) -> Bool {
        seq >= 1 && seq <= UInt64(Int64.max) && (seq == 1) == (prev == .zero)
    }
}
