import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// What a member may make others keep, and how much it may send at once.
@Suite struct WaitingLimitsTests {
    private let fleet = Fleet()

    /// A device, and another member of its group that speaks by hand.
    private func met() throws -> (host: Device, peer: RawMember, scope: ScopeID) {
        let devices = try fleet.group(["a", "b"])
        fleet.connect(devices[0], devices[1])
        let scope = try #require(devices[0].vector.first?.scope)
        let peer = try RawMember(devices[1], at: devices[0], in: fleet)
        try peer.greet()
        return (devices[0], peer, scope)
    }

    private func waiting(_ device: Device) throws -> Totals {
        try #require(device.replica?.storeForReading.pendingTotals)
    }

    private func isFlooded(_ device: Device) -> Bool {
        device.events.contains { if case .warning(.flooded) = $0 { true } else { false } }
    }

    /// Puts batches that wait into the store, as if they had come before.
    private func keep(_ batches: [SealedBatch], on device: Device) throws {
        guard let store = device.replica?.storeForReading else { throw Device.Closed() }
        try store.begin()
        for batch in batches {
            try store.insertPending(
                PendingRow(
                    id: batch.id, scope: batch.header.scope, device: batch.header.device,
                    incarnation: batch.header.incarnation, seq: batch.header.seq,
                    header: batch.headerBytes, ciphertext: batch.ciphertext,
                    signature: batch.signature))
        }
        try store.commit()
    }

    @Test func `a chain keeps so many batches that wait, and drops and tells of the next`() throws {
        let (host, peer, scope) = try met()
        let most = UInt64(Limits.pendingBatchesPerChain)
        try keep(try (0..<most - 1).map { try peer.orphan(5 + $0, scope: scope) }, on: host)
        try peer.say(.batch, peer.orphan(5 + most, scope: scope).message)
        #expect(try waiting(host).count == Limits.pendingBatchesPerChain && !isFlooded(host))
        try peer.say(.batch, peer.orphan(6 + most, scope: scope).message)
        #expect(try waiting(host).count == Limits.pendingBatchesPerChain && isFlooded(host))
        // Another author's chain has room.
        try peer.say(.batch, peer.orphan(5, incarnation: 4, scope: scope).message)
        #expect(try waiting(host).count == Limits.pendingBatchesPerChain + 1)
        #expect(peer.end == nil)
    }

    @Test func `a chain keeps so many bytes that wait, and all chains together twice as many`()
        throws
    {
        #expect(Limits.pendingBytes == 2 * Limits.pendingBytesPerChain)
        let (host, peer, scope) = try met()
        for (place, incarnation) in ([3, 4] as [UInt8]).enumerated() {
            let seqs = 5..<UInt64(4 + Limits.pendingBytesPerChain / Limits.batchPlaintextBytes)
            let batches = try seqs.map {
                try peer.orphan(
                    $0, bytes: Limits.batchPlaintextBytes, incarnation: incarnation, scope: scope)
            }
            try keep(batches, on: host)
            let full = (place + 1) * Limits.pendingBytesPerChain
            let left = full - (try waiting(host).bytes)
            let like = try peer.orphan(500, bytes: left, incarnation: incarnation, scope: scope)
            let overhead = like.keptBytes - left
            for beyond in [1, 0, 16] {
                host.events = []
                let bytes = beyond == 16 ? 16 : left - overhead + beyond
                let batch = try peer.orphan(
                    500 + UInt64(beyond), bytes: bytes, incarnation: incarnation, scope: scope)
                try peer.say(.batch, batch.message)
                #expect(try waiting(host).bytes == (beyond == 1 ? full - left : full))
                #expect(isFlooded(host) == (beyond > 0))
            }
        }
        host.events = []
        try peer.say(.batch, peer.orphan(5, incarnation: 5, scope: scope).message)
        #expect(try waiting(host).bytes == Limits.pendingBytes && isFlooded(host))
        #expect(peer.end == nil)
    }

    @Test(arguments: [0, 1])
    func `batches may be ahead of the acknowledgements by the credit, and by no byte more`(
        beyond: Int
    ) throws {
        let (host, peer, scope) = try met()
        var left = Limits.unacknowledgedBytes + beyond
        var bodies: [[UInt8]] = []
        var seq: UInt64 = 5
        while left > 0 {
            let overhead = try peer.orphan(seq, bytes: 70_000, scope: scope).message.count - 70_000
            let bytes = min(Limits.batchCiphertextBytes, left - overhead)
            let body = try peer.orphan(seq, bytes: bytes, scope: scope).message
            try #require(body.count == bytes + overhead)
            // What is left for the last one is large enough for the same overhead.
            try #require(left == body.count || left - body.count > 70_000)
            bodies.append(body)
            left -= body.count
            seq += 1
        }
        for body in bodies.dropLast() { try peer.queue(.batch, body) }
        try peer.say(.batch, bodies[bodies.count - 1])
        #expect(peer.end == (beyond == 0 ? nil : .protocolViolation))
        #expect(try waiting(host).count == bodies.count - beyond)
    }
}

extension SealedBatch {
    /// The bytes that a store keeps of it while it waits.
    fileprivate var keptBytes: Int { headerBytes.count + ciphertext.count + signature.count }
}
