import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct BatchRunTests {
    private let group = GroupID(repeating: 1)

    /// The messages of a chain of batches, of which all but the first continue the one before.
    private func messages(_ count: UInt64, breaking broken: UInt64? = nil) throws -> [ChannelEvent]
    {
        let signer = SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 2, count: 32)))
        let device = try #require(DeviceID(signer.publicKey))
        let key = SecretBytes(copying: [UInt8](repeating: 3, count: 32))
        var prev = BatchID.zero
        return (1...count).map { seq in
            let header = BatchHeader(
                group: group, device: device, incarnation: Incarnation(repeating: 4),
                scope: ScopeID(repeating: 5), seq: seq, prev: prev, epoch: EpochID(repeating: 6),
                nonce: [UInt8](repeating: 7, count: 16) + seq.bytes)
            let batch = SealedBatch.seal(
                [UInt8](seq.bytes), header: header,
                author: AuthorName.author(device: device, incarnation: header.incarnation),
                key: key, signer: signer)
            prev = batch.id
            var signature = batch.signature
            if seq == broken { signature[3] ^= 1 }
            let message = BatchMessage(
                form: seq == 1 ? .full(header: batch.headerBytes) : .continued(nonce: nil),
                ciphertext: batch.ciphertext, signature: signature)
            return .message(type: MessageType.batch.rawValue, body: message.encode())
        }
    }

    private func run(_ events: [ChannelEvent], group: GroupID? = nil) -> [SealedBatch] {
        var run = BatchRun(events[...], group: group ?? self.group) { _ in nil }
        var batches: [SealedBatch] = []
        while let next = run.next() { batches.append(next) }
        return batches
    }

    @Test func `one signature speaks for the batches that lead to it`() throws {
        let batches = run(try messages(5))
        #expect(batches.map(\.header.seq) == [1, 2, 3, 4, 5])
        #expect(zip(batches, batches.dropFirst()).allSatisfy { $0.id == $1.header.prev })
        #expect(batches.map(\.isSigned) == [true, true, true, true, true])
    }

    @Test func `nothing is taken for checked when the last signature is wrong`() throws {
        let batches = run(try messages(5, breaking: 5))
        #expect(batches.isEmpty)
    }

    @Test func `a wrong signature on the way shows when the batch is looked at by itself`() throws {
        let batches = run(try messages(5, breaking: 2))
        #expect(batches.map(\.isSigned) == [true, false, true, true, true])
    }

    @Test func `a batch alone, or one that continues nothing, is checked by itself`() throws {
        let events = try messages(3)
        #expect(run([events[0]]).isEmpty)
        #expect(run(Array(events[1...])).isEmpty)
        #expect(run([events[0], .message(type: MessageType.ack.rawValue, body: [])]).isEmpty)
        #expect(run(events, group: GroupID(repeating: 9)).isEmpty)
    }

    @Test func `bytes that were changed on the way are in no run`() throws {
        var events = try messages(4)
        guard case .message(let type, var body) = events[2] else { return }
        body[body.count - 70] ^= 1
        events[2] = .message(type: type, body: body)
        #expect(run(events).isEmpty)
        #expect(run(Array(events[..<2])).count == 2)
    }

    @Test func `what was looked at is remembered for a while`() {
        var proven = ProvenBatches()
        for number in UInt8(0)..<200 { proven.insert(BatchID(repeating: number)) }
        #expect(proven.contains(BatchID(repeating: 7)))
        #expect(!proven.contains(BatchID(repeating: 250)))
    }
}
