import LinnetCRDT
import LinnetCrypto
import LinnetWire

/// The proof that a batch was signed, without its contents.
struct SignedHeader: Equatable, Sendable {
    var header: [UInt8]
    var ciphertextHash: [UInt8]
    var signature: [UInt8]

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(header)
        writer.bytes(ciphertextHash)
        writer.bytes(signature)
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> SignedHeader {
        try reader.array(exactly: 3)
        let header = try reader.bytes(max: BatchMessage.headerBytesMaximum)
        let hash = try reader.bytes(max: 32)
        let signature = try reader.bytes(max: 64)
        guard hash.count == 32, signature.count == 64 else { throw .badLength }
        return SignedHeader(header: header, ciphertextHash: hash, signature: signature)
    }
}

/// Two signed headers of one author, scope and sequence number.
struct ForkMessage: Equatable, Sendable {
    var first: SignedHeader
    var second: SignedHeader

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        first.write(to: &writer)
        second.write(to: &writer)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> ForkMessage {
        guard body.count <= Limits.forkBytes else { throw .tooLarge }
        var reader = CBORReader(body)
        try reader.array(exactly: 2)
        let first = try SignedHeader.read(from: &reader)
        let second = try SignedHeader.read(from: &reader)
        try reader.finish()
        return ForkMessage(first: first, second: second)
    }
}

extension ForkMessage {
    /// The place of the fork, when both headers prove it.
    func place(in group: GroupID) -> BatchHeader? {
        guard let first = try? BatchHeader.decode(self.first.header),
            let second = try? BatchHeader.decode(self.second.header),
            first.group == group, second.group == group,
            first.device == second.device, first.incarnation == second.incarnation,
            first.scope == second.scope, first.seq == second.seq, first.prev == second.prev
        else { return nil }
        var ids: [BatchID] = []
        for signed in [self.first, self.second] {
            let id = BatchName.id(signed.header, ciphertextHash: signed.ciphertextHash)
            guard
                SigningKey.isValid(
                    signed.signature, .batch, id.array, publicKey: first.device.array)
            else { return nil }
            ids.append(id)
        }
        return ids[0] == ids[1] ? nil : first
    }
}
