import LinnetCRDT
import LinnetWire

/// The head of a chain that is named by its number.
struct NumberedHead: Equatable, Sendable {
    /// The place in the listing of the receiver's `have`, from 0.
    var number: Int
    var seq: UInt64
    var prefix: Bytes8

    static func write(_ heads: [NumberedHead], to writer: inout CBORWriter) {
        writer.array(heads.count)
        for head in heads {
            writer.array(3)
            writer.unsigned(UInt64(head.number))
            writer.unsigned(head.seq)
            writer.bytes(head.prefix)
        }
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> [NumberedHead] {
        var heads: [NumberedHead] = []
        for _ in 0..<(try reader.array(max: VectorListing.chainsMaximum)) {
            try reader.array(exactly: 3)
            let number = try reader.unsigned(max: UInt64(VectorListing.chainsMaximum))
            let seq = try reader.unsigned(max: UInt64(Int64.max))
            guard seq > 0 else { throw .badLength }
            heads.append(
                NumberedHead(number: Int(number), seq: seq, prefix: try reader.bytes8()))
        }
        return heads
    }
}

/// The changes of the sender's durable vector, and how much more it takes.
struct AckMessage: Equatable, Sendable {
    /// The chains that the receiver named in its `have`.
    var numbered: [NumberedHead] = []
    /// The other chains.
    var listing = VectorListing()
    /// The credit limit; absent where it stays and there are only numbered chains to tell of.
    var creditLimit: UInt64?

    func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: listing.encodedBytesExpected)
        guard let creditLimit else {
            writer.array(1)
            NumberedHead.write(numbered, to: &writer)
            return writer.bytes
        }
        writer.array(numbered.isEmpty ? 2 : 3)
        if !numbered.isEmpty { NumberedHead.write(numbered, to: &writer) }
        listing.write(to: &writer)
        writer.unsigned(creditLimit)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> AckMessage {
        var reader = CBORReader(body, maxItems: body.count)
        var ack = AckMessage()
        let parts = try reader.array(max: 3)
        guard parts >= 1 else { throw .badLength }
        if parts != 2 {
            ack.numbered = try NumberedHead.read(from: &reader)
            guard !ack.numbered.isEmpty else { throw .nonCanonical }
        }
        if parts > 1 {
            ack.listing = try VectorListing.read(from: &reader)
            ack.creditLimit = try reader.unsigned()
        }
        try reader.finish()
        return ack
    }
}
