import LinnetWire

/// The rows of a machine: a byte for the kind, then the counterpart, then a number.
enum JournalKey: Equatable, Sendable {
    /// The installation, and the number up to which transfers may be named.
    case identity
    /// The surroundings, as far as they outlast a restart.
    case facts
    /// The knowledge of a counterpart.
    case counterpart(DeviceID)
    /// The ledger of a counterpart.
    case ledger(DeviceID)
    /// The times at which complication transfers were spent.
    case spends(DeviceID)
    /// The context for a counterpart.
    case contextOut(DeviceID)
    /// The context from a counterpart.
    case contextIn(DeviceID)
    /// The progress of an outgoing transfer.
    case outgoing(DeviceID, UInt64)
    /// The payload of an outgoing transfer.
    case payload(DeviceID, UInt64)
    /// A received transfer that waits for the app, by arrival.
    case inbox(DeviceID, UInt64)
    /// The transfers of a lane that came before.
    case memory(DeviceID, Lane)
    /// A file of which a part is here.
    case partialFile(DeviceID)

    /// The key's bytes.
    var bytes: [UInt8] {
        switch self {
        case .identity: [1]
        case .facts: [2]
        case .counterpart(let peer): [3] + peer.array
        case .ledger(let peer): [4] + peer.array
        case .spends(let peer): [5] + peer.array
        case .contextOut(let peer): [6] + peer.array
        case .contextIn(let peer): [7] + peer.array
        case .outgoing(let peer, let number): JournalKey.bytes(8, peer, number)
        case .payload(let peer, let number): JournalKey.bytes(9, peer, number)
        case .inbox(let peer, let number): JournalKey.bytes(10, peer, number)
        case .memory(let peer, let lane): [11] + peer.array + [lane.rawValue]
        case .partialFile(let peer): [12] + peer.array
        }
    }

    private static func bytes(_ kind: UInt8, _ peer: DeviceID, _ number: UInt64) -> [UInt8] {
        var bytes = [kind] + peer.array
        BigEndian.append(number, to: &bytes)
        return bytes
    }

    /// Reads a key; nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        guard let kind = bytes.first else { return nil }
        guard kind > 2 else {
            guard bytes.count == 1, kind > 0 else { return nil }
            self = kind == 1 ? .identity : .facts
            return
        }
        guard bytes.count > Bytes32.count,
            let peer = Bytes32(Array(bytes[1...Bytes32.count]))
        else { return nil }
        let rest = bytes[(Bytes32.count + 1)...]
        let number = rest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch (kind, rest.count) {
        case (3, 0): self = .counterpart(peer)
        case (4, 0): self = .ledger(peer)
        case (5, 0): self = .spends(peer)
        case (6, 0): self = .contextOut(peer)
        case (7, 0): self = .contextIn(peer)
        case (8, 8): self = .outgoing(peer, number)
        case (9, 8): self = .payload(peer, number)
        case (10, 8): self = .inbox(peer, number)
        case (11, 1):
            guard let lane = Lane(rawValue: UInt8(truncatingIfNeeded: number)) else { return nil }
            self = .memory(peer, lane)
        case (12, 0): self = .partialFile(peer)
        default: return nil
        }
    }
}
