import LinnetCRDT
import LinnetWire

/// One line of a listing: how far a chain is held, and the start of the batch id there.
struct ListedHead: Equatable, Sendable {
    var chain: AuthorID
    var seq: UInt64
    var prefix: Bytes8
}

/// The chains of one scope, in order.
struct ListedScope: Equatable, Sendable {
    var scope: ScopeID
    var heads: [ListedHead]
}

/// What a replica holds, as `have` and `ack` say it.
struct VectorListing: Equatable, Sendable {
    var scopes: [ListedScope] = []

    /// Most chains that one listing may name; a fleet of 32 devices with many lives fits.
    static let chainsMaximum = 8_192

    /// Room for an encoded message with this listing, as a rule.
    var encodedBytesExpected: Int {
        scopes.reduce(64) { $0 + 32 + 40 * $1.heads.count }
    }

    /// Every chain in the order of the listing, by whose places later messages name them.
    var keys: [ChainKey] {
        scopes.flatMap { listed in
            listed.heads.map { ChainKey(scope: listed.scope, chain: $0.chain) }
        }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(scopes.count)
        for listed in scopes {
            writer.array(2)
            writer.bytes(listed.scope)
            writer.array(listed.heads.count)
            for head in listed.heads {
                writer.array(3)
                writer.bytes(head.chain)
                writer.unsigned(head.seq)
                writer.bytes(head.prefix)
            }
        }
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> VectorListing {
        var listing = VectorListing()
        var chains = 0
        for _ in 0..<(try reader.array(max: chainsMaximum)) {
            try reader.array(exactly: 2)
            let scope = try reader.bytes16()
            var heads: [ListedHead] = []
            let count = try reader.array(max: chainsMaximum)
            chains += count
            guard chains <= chainsMaximum else { throw .tooLarge }
            heads.reserveCapacity(min(count, 64))
            for _ in 0..<count {
                try reader.array(exactly: 3)
                let chain = try reader.bytes16()
                let seq = try reader.unsigned(max: UInt64(Int64.max))
                guard seq > 0 else { throw .badLength }
                heads.append(
                    ListedHead(chain: chain, seq: seq, prefix: try reader.bytes8()))
            }
            listing.scopes.append(ListedScope(scope: scope, heads: heads))
        }
        return listing
    }
}

/// Everything the sender holds, with the digest of the full vector.
struct HaveMessage: Equatable, Sendable {
    /// The first 8 bytes of the digest, or all 32 of them as 0.1.0 sent it.
    var digest: [UInt8]
    var listing: VectorListing

    func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: listing.encodedBytesExpected)
        writer.array(2)
        writer.bytes(digest)
        listing.write(to: &writer)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> HaveMessage {
        var reader = CBORReader(body, maxItems: body.count)
        try reader.array(exactly: 2)
        let digest = try reader.bytes(max: Bytes32.count)
        guard [Bytes8.count, Bytes32.count].contains(digest.count) else { throw .badLength }
        let listing = try VectorListing.read(from: &reader)
        try reader.finish()
        return HaveMessage(digest: digest, listing: listing)
    }
}

/// A line of an acknowledgement about a chain that the receiver's `have` listed.
struct NumberedHead: Equatable, Sendable {
    /// The place in that listing, from 0.
    var number: Int
    var seq: UInt64
    var prefix: Bytes8
}

/// What changed in the sender's durable vector, and how much more it takes.
struct AckMessage: Equatable, Sendable {
    /// Chains that the receiver named in its `have`.
    var numbered: [NumberedHead] = []
    /// Other chains.
    var listing: VectorListing
    var creditLimit: UInt64

    func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: listing.encodedBytesExpected)
        writer.array(numbered.isEmpty ? 2 : 3)
        if !numbered.isEmpty { writer.array(numbered.count) }
        for head in numbered {
            writer.array(3)
            writer.unsigned(UInt64(head.number))
            writer.unsigned(head.seq)
            writer.bytes(head.prefix)
        }
        listing.write(to: &writer)
        writer.unsigned(creditLimit)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> AckMessage {
        var reader = CBORReader(body, maxItems: body.count)
        let parts = try reader.array(max: 3)
        guard parts >= 2 else { throw .badLength }
        let numbered = parts == 3 ? try readNumbered(from: &reader) : []
        let listing = try VectorListing.read(from: &reader)
        let credit = try reader.unsigned()
        try reader.finish()
        return AckMessage(numbered: numbered, listing: listing, creditLimit: credit)
    }

    private static func readNumbered(
        from reader: inout CBORReader
    ) throws(WireError) -> [NumberedHead] {
        let count = try reader.array(max: VectorListing.chainsMaximum)
        guard count > 0 else { throw .nonCanonical }
        var numbered: [NumberedHead] = []
        for _ in 0..<count {
            try reader.array(exactly: 3)
            let number = try reader.unsigned(max: UInt64(VectorListing.chainsMaximum))
            let seq = try reader.unsigned(max: UInt64(Int64.max))
            guard seq > 0 else { throw .badLength }
            numbered.append(
                NumberedHead(number: Int(number), seq: seq, prefix: try reader.bytes8()))
        }
        return numbered
    }
}
