import LinnetCRDT
import LinnetStorage
package import LinnetWire

extension Replica {
    /// Remembers the time at which a peer was heard.
    mutating func heard(_ peer: DeviceID, at now: Moment) throws(StorageError) {
        var row = try sessions.peers.row(of: peer, in: store)
        row.lastHeardWallMilliseconds = now.wallMilliseconds
        sessions.peers.note(row)
        // Relaxed writes of the application become durable then, and can be sent to the peer.
        if !chains.unsynced.isEmpty { try turn.writing() }
    }

    /// Keeps an address as a hint for the next time; at most eight for a device, newest first.
    package mutating func rememberAddress(
        _ address: String, of peer: DeviceID
    ) throws(ReplicaError) {
        do throws(StorageError) {
            var row = try sessions.peers.row(of: peer, in: store)
            guard row.addresses.first != address else { return }
            row.addresses = Array(
                ([address] + row.addresses.filter { $0 != address }).prefix(8))
            sessions.peers.note(row)
            try turn.writing()
            try sessions.peers.save(in: store)
            try store.commit()
        } catch {
            store.rollback()
            sessions.peers.reload()
            throw .storage(error)
        }
    }

    /// The number of batches that this device and the connected peers lack of each other; those
    /// that several peers have for this device count once. Nil while none has said what it holds.
    package var batchesToExchange: UInt64? {
        var (incoming, outgoing): (UInt64, UInt64) = (0, 0)
        var isKnown = false
        for (_, state) in sessions.open {
            guard state.heardHave else { continue }
            isKnown = true
            var lacked: UInt64 = 0
            for (key, head) in state.peer where holds(key.scope) {
                let stored = chains[key]?.stored ?? 0
                // A peer may list impossible numbers, so that the sum is kept far from an overflow.
                lacked += head.seq > stored ? min(head.seq - stored, 1 << 40) : 0
            }
            incoming = max(incoming, lacked)
            for (key, row) in chains.rows where state.greeting.scopes.holds(key.scope) {
                let held = max(state.peer[key]?.seq ?? 0, row.first - 1)
                outgoing += row.stored > held ? row.stored - held : 0
            }
        }
        return isKnown ? incoming + outgoing : nil
    }

    /// The number of batches that are stored here and do not show.
    package var batchesHidden: UInt64 {
        chains.rows.reduce(0) { $0 + ($1.1.stored - min($1.1.stored, $1.1.applied)) }
    }

    /// The number of batches that are stored here.
    package var batchesStored: UInt64 {
        chains.rows.reduce(0) { $0 + ($1.1.stored - min($1.1.stored, $1.1.first - 1)) }
    }

    /// The peers that hold the same batches as this device, as far as both know.
    package var devicesInStep: [DeviceID] {
        sessions.open.filter(\.state.saidInStep).map(\.state.device)
    }
}
