import LinnetCRDT
import LinnetCrypto
import LinnetWire

/// The batch of a chain up to which a base holds everything.
struct BaseFloor: Equatable, Sendable {
    let key: ChainKey
    let seq: UInt64
    let id: BatchID
}

/// The sender does not keep batches that the receiver lacks, and offers what they came to; or it
/// says how far it has folded itself, for which it cannot take the base that it was offered.
struct BaseOffer: Equatable, Sendable {
    /// False where the sender only says how far it has folded.
    var isOffer = true
    /// The floors of chains, by scope and chain.
    let floors: [BaseFloor]
    /// The number of records.
    let records: Int
    /// Their bytes where the sender keeps them.
    let bytes: Int

    /// The name: equal floors have equal bases, whoever keeps them.
    func id(in group: GroupID) -> Bytes16 {
        var writer = CBORWriter()
        write(to: &writer)
        return BatchName.narrow(
            Hash.blake2b(.baseName, group.array, writer.bytes, count: Bytes16.count))
    }

    private func write(to writer: inout CBORWriter) {
        let scopes = OrderedSet(floors.map(\.key.scope)).elements
        writer.array(scopes.count)
        for scope in scopes {
            let chains = floors.filter { $0.key.scope == scope }
            writer.array(2)
            writer.bytes(scope)
            writer.array(chains.count)
            for floor in chains {
                writer.array(3)
                writer.bytes(floor.key.chain)
                writer.unsigned(floor.seq)
                writer.bytes(floor.id)
            }
        }
    }

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(4)
        writer.bool(isOffer)
        write(to: &writer)
        writer.unsigned(UInt64(records))
        writer.unsigned(UInt64(bytes))
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> BaseOffer {
        var reader = CBORReader(body)
        try reader.array(exactly: 4)
        let isOffer = try reader.bool()
        var floors: [BaseFloor] = []
        for _ in 0..<(try reader.array(max: VectorListing.chainsMaximum)) {
            try reader.array(exactly: 2)
            let scope = try reader.bytes16()
            let count = try reader.array(max: VectorListing.chainsMaximum)
            guard count > 0, floors.count + count <= VectorListing.chainsMaximum else {
                throw .tooLarge
            }
            for _ in 0..<count {
                try reader.array(exactly: 3)
                let key = ChainKey(scope: scope, chain: try reader.bytes16())
                let seq = try reader.unsigned(max: UInt64(Int64.max))
                guard seq > 0, floors.last.map({ $0.key < key }) ?? true else {
                    throw .nonCanonical
                }
                floors.append(BaseFloor(key: key, seq: seq, id: try reader.bytes32()))
            }
        }
        let records = Int(try reader.unsigned(max: UInt64(Int32.max)))
        let bytes = Int(try reader.unsigned(max: UInt64(Int64.max)))
        try reader.finish()
        return BaseOffer(isOffer: isOffer, floors: floors, records: records, bytes: bytes)
    }
}
