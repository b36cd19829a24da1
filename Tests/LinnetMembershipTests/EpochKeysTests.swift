import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct EpochKeysTests {
    private let founder = TestDevice(1)
    private let reader = TestDevice(2)
    private let relay = TestDevice(3)

    private func sample() throws -> MembershipLog {
        var log = try founder.found()
        try log.insertAll(founder.add(reader, role: .member, to: log))
        try log.insertAll(founder.add(relay, role: .relay, to: log))
        try log.insertAll(founder.epoch(in: log))
        return log
    }

    @Test func `every device opens its box, and readers hold one data key`() throws {
        let log = try sample()
        let rings = [founder, reader, relay].map { $0.ring(log) }
        let held = rings.compactMap { $0.current(in: log) }
        #expect(held.count == 3)
        let network = try #require(held[0].networkKey).bytes.exposed()
        let data = try #require(held[0].dataKey).bytes.exposed()
        #expect(network != data)
        #expect(held.allSatisfy { $0.networkKey?.bytes.exposed() == network })
        #expect(held[1].dataKey?.bytes.exposed() == data)
        #expect(held[2].dataKey == nil)
    }

    @Test func `a relay holds no data key of any epoch`() throws {
        let log = try sample()
        #expect(relay.ring(log).epochs.count == 2)
        #expect(relay.ring(log).epochs.allSatisfy { $0.dataKey == nil && $0.networkKey != nil })
    }

    @Test func `a box opens for its device only`() throws {
        let log = try sample()
        let epoch = try #require(log.state.currentEpoch)
        let box = try #require(epoch.payload.boxes[reader.device])
        #expect(box.count == 112)
        #expect(epoch.payload.boxes[relay.device]?.count == 80)
        _ = try EpochKeys.open(box, of: epoch, group: log.group, with: reader.keys.seal)
        #expect(throws: MembershipError.badEpoch) {
            _ = try EpochKeys.open(box, of: epoch, group: log.group, with: founder.keys.seal)
        }
        for index in [0, 31, 32, 47, 48, 111] {
            var changed = box
            changed[index] ^= 1
            #expect(throws: MembershipError.badEpoch) {
                _ = try EpochKeys.open(changed, of: epoch, group: log.group, with: reader.keys.seal)
            }
        }
    }

    @Test func `a device outside the group opens nothing`() throws {
        let ring = TestDevice(4).ring(try sample())
        #expect(ring.epochs.isEmpty)
        #expect(ring.badEpochs.isEmpty)
        #expect(ring.memberPSKs.isEmpty)
    }

    @Test func `keys are checked against the commitments`() throws {
        let log = try sample()
        let epoch = try #require(log.state.currentEpoch)
        for count in [32, 64, 33, 0] {
            let box = try SealedBox.seal(
                SecretBytes(zeroed: count), to: reader.certificate.sealKey.array,
                ephemeral: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
            #expect(throws: MembershipError.badEpoch) {
                _ = try EpochKeys.open(box, of: epoch, group: log.group, with: reader.keys.seal)
            }
        }
        let first = try #require(log.state.firstEpoch)
        let own = try #require(first.payload.boxes[founder.device])
        #expect(throws: MembershipError.badEpoch) {
            _ = try EpochKeys.open(own, of: epoch, group: log.group, with: founder.keys.seal)
        }
        #expect(throws: MembershipError.badEpoch) {
            _ = try EpochKeys.open(own, of: first, group: .zero, with: founder.keys.seal)
        }
    }

    @Test func `commitment and pre-shared key are keyed hashes as the protocol says`() throws {
        let log = try sample()
        let keys = try #require(founder.ring(log).current(in: log))
        let network = try #require(keys.networkKey)
        let payload = try #require(log.state.currentEpoch).payload
        let number: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2]
        #expect(
            payload.networkCommitment.array
                == Hash.keyed(
                    by: network.bytes, nil, Array("linnet/commit/1".utf8) + log.group.array + number
                ))
        #expect(
            keys.psk?.bytes.exposed()
                == Hash.keyed(by: network.bytes, nil, Array("linnet/psk/1".utf8) + log.group.array))
    }
}
