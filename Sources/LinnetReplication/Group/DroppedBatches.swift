import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The late batches that the person at this device dropped: they are listed no more, and stay in
/// the log. No other device hears of it.
struct DroppedBatches: Equatable {
    private static let version: UInt64 = 1

    private var ends: OrderedTable<ChainKey, UInt64> = OrderedTable()

    /// Nothing was dropped.
    init() {}

    /// Reads the bytes that were kept, if there are any. Throws ``StorageError/corrupt(where:)``
    /// for those that this version cannot read: the next drop would replace them.
    init(kept: [UInt8]?) throws(StorageError) {
        guard let kept else { return }
        do {
            ends = try Self.read(kept)
        } catch {
            throw .corrupt(where: "meta: the late batches that were dropped")
        }
    }

    /// The last batch of a chain that was dropped; 0 for none.
    func last(in chain: ChainKey) -> UInt64 { ends[chain] ?? 0 }

    /// Drops the batches of a chain up to a number.
    mutating func drop(_ chain: ChainKey, through last: UInt64) {
        ends[chain] = max(ends[chain] ?? 0, last)
    }

    /// Forgets chains that are not held.
    mutating func keep(_ isHeld: (ChainKey) -> Bool) {
        for (chain, _) in ends where !isHeld(chain) { ends[chain] = nil }
    }

    /// The bytes that are kept.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.unsigned(Self.version)
        writer.array(ends.count)
        for (chain, last) in ends {
            writer.array(3)
            writer.bytes(chain.scope)
            writer.bytes(chain.chain)
            writer.unsigned(last)
        }
        return writer.bytes
    }

    private static func read(
        _ bytes: [UInt8]
    ) throws(WireError) -> OrderedTable<ChainKey, UInt64> {
        var reader = CBORReader(bytes)
        try reader.array(exactly: 2)
        guard try reader.unsigned() == version else { throw .unexpectedType }
        var ends: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 3)
            let chain = ChainKey(scope: try reader.bytes16(), chain: try reader.bytes16())
            ends[chain] = try reader.unsigned()
        }
        try reader.finish()
        return ends
    }
}
