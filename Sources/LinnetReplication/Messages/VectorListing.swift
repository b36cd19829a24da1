import LinnetCRDT
import LinnetWire

/// One line of a listing: the last batch of a chain that is held, and the start of its id.
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

/// The chains that a replica holds, as `have` and `ack` list them.
struct VectorListing: Equatable, Sendable {
    var scopes: [ListedScope] = []

    /// The largest number of chains that one listing may name, enough for 32 devices with many
    /// lives.
    static let chainsMaximum = 8_192
    /// The largest number of chains that is remembered of what a peer holds; others are passed
    /// over.
    static let chainsRemembered = 65_536

    /// The number of bytes that an encoded message with this listing takes as a rule.
    var encodedBytesExpected: Int {
        scopes.reduce(64) { $0 + 32 + 40 * $1.heads.count }
    }

    /// The chains in the order of the listing; later messages name them by their places in it.
    var keys: [ChainKey] {
        scopes.flatMap { listed in
            listed.heads.map { ChainKey(scope: listed.scope, chain: $0.chain) }
        }
    }

    /// Adds a line behind all others.
    mutating func append(_ head: ListedHead, of scope: ScopeID) {
        if scopes.isEmpty || scopes[scopes.count - 1].scope != scope {
            scopes.append(ListedScope(scope: scope, heads: []))
            scopes[scopes.count - 1].heads.reserveCapacity(8)
        }
        scopes[scopes.count - 1].heads.append(head)
    }

    /// The lines in order, each with its key, as the sides of a session number them.
    var lines: [NamedHead?] {
        var lines: [NamedHead?] = []
        lines.reserveCapacity(scopes.reduce(0) { $0 + $1.heads.count })
        for listed in scopes {
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                lines.append(NamedHead(key: key, head: head))
            }
        }
        return lines
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
