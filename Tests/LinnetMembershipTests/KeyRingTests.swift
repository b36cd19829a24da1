import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct KeyRingTests {
    @Test func `a newcomer reads all earlier epochs through the current one`() throws {
        let founder = TestDevice(1)
        var log = try founder.found()
        for seed in 1..<5 { try log.insertAll(founder.epoch(in: log, seed: UInt64(seed))) }
        let newcomer = TestDevice(2)
        try log.insertAll(founder.add(newcomer, to: log))
        let (old, new) = (founder.ring(log), newcomer.ring(log))
        #expect(log.state.epochs.map(\.number) == [5, 4, 3, 2, 1])
        #expect(new.epochs.map(\.id) == log.state.epochs.map(\.id))
        for (left, right) in zip(old.epochs, new.epochs) {
            let (left, right) = (try #require(left.dataKey), try #require(right.dataKey))
            #expect(left.bytes.exposed() == right.bytes.exposed())
        }
        #expect(new.epochs.dropFirst().allSatisfy { $0.networkKey == nil })
        #expect(new.memberPSKs.count == 1)
        let first = try #require(new.firstDataKey(in: log))
        #expect(first.bytes.exposed() == old.epochs.last?.dataKey?.bytes.exposed())
    }

    @Test func `both of two concurrent epochs are reached from the next`() throws {
        let (log, devices) = try group(of: 2)
        var forked = try log.inserting(
            devices[0].epoch(in: log, seed: 1), devices[1].epoch(in: log, seed: 2))
        try forked.insertAll(devices[0].epoch(in: forked, seed: 3))
        let current = try #require(forked.state.currentEpoch)
        #expect(current.payload.wrapped.count == 2)
        try forked.insertAll(devices[1].add(TestDevice(9), to: forked))
        #expect(TestDevice(9).ring(forked).epochs.filter { $0.dataKey != nil }.count == 4)
    }

    @Test func `what the log gains is opened in steps as at once`() throws {
        let founder = TestDevice(1)
        var log = try founder.found()
        var ring = founder.ring(log)
        for seed in 1..<4 {
            try log.insertAll(founder.epoch(in: log, seed: UInt64(seed)))
            ring.update(from: log, keys: founder.keys)
        }
        #expect(ring.epochs.map(\.id) == founder.ring(log).epochs.map(\.id))
        #expect(ring.keys(of: .zero) == nil)
    }

    @Test func `pre-shared keys come newest first, eight earlier ones at most`() throws {
        let founder = TestDevice(1)
        var log = try founder.found()
        for seed in 1..<12 { try log.insertAll(founder.epoch(in: log, seed: UInt64(seed))) }
        let psks = founder.ring(log).memberPSKs
        #expect(log.state.epochs.count > 1 + Limits.earlierEpochs)
        #expect(psks.map(\.epoch) == log.state.epochs.prefix(1 + Limits.earlierEpochs).map(\.id))
        let values = psks.map { $0.psk.bytes.exposed() }
        #expect(OrderedSet(values.map(Hex.encode)).count == 1 + Limits.earlierEpochs)
    }

    /// An epoch in which `victim` gets other keys than everybody else.
    private func splitEpoch(
        by author: TestDevice, against victim: TestDevice, in log: MembershipLog
    ) throws -> MemberRecord {
        let honest = try author.epoch(in: log, seed: 40)
        guard case .epoch(let payload) = honest.payload else {
            throw MembershipError.notAGenesis
        }
        var writer = CBORWriter()
        writer.array(5)
        writer.unsigned(payload.number)
        writer.bytes(payload.networkCommitment)
        writer.bytes(payload.dataCommitment)
        writer.array(payload.boxes.count)
        for (device, box) in payload.boxes {
            writer.array(2)
            writer.bytes(device)
            let other = try SealedBox.seal(
                SecretBytes(copying: [UInt8](repeating: 9, count: 64)),
                to: victim.certificate.sealKey.array, ephemeral: SecretBytes(zeroed: 32))
            writer.bytes(device == victim.device ? other : box)
        }
        writer.array(0)
        return try author.record(kind: 4, payload: writer.bytes, in: log)
    }

    @Test func `a device that was given other keys notices, and starts a new epoch`() throws {
        let (log, devices) = try group(of: 3)
        let victim = devices[2]
        let split = try splitEpoch(by: devices[1], against: victim, in: log)
        var merged = try log.inserting(split)
        let ring = victim.ring(merged)
        #expect(ring.badEpochs == [split.id])
        #expect(ring.current(in: merged) == nil)
        #expect(ring.rotationTurn(of: victim.device, in: merged) == 0)
        #expect(devices[0].ring(merged).badEpochs.isEmpty)
        #expect(devices[0].ring(merged).rotationTurn(of: devices[0].device, in: merged) == nil)
        try merged.insertAll(victim.epoch(in: merged))
        for device in devices {
            #expect(device.ring(merged).current(in: merged)?.number == 3)
        }
        // The others may have written under the bad keys, which the victim does not have.
        #expect(victim.ring(merged).keys(of: split.id) == nil)
        #expect(victim.ring(merged).rotationTurn(of: victim.device, in: merged) == nil)
        for device in devices.dropLast() {
            #expect(device.ring(merged).rotationTurn(of: device.device, in: merged) != nil)
        }
        try merged.insertAll(devices[0].epoch(in: merged))
        for device in devices {
            #expect(device.ring(merged).rotationTurn(of: device.device, in: merged) == nil)
        }
        #expect(victim.ring(merged).keys(of: split.id)?.dataKey != nil)
    }

    @Test func `a device without the current epoch leaves the rotation to others`() throws {
        let (log, devices) = try group(of: 2)
        let merged = try log.inserting(
            devices[0].add(TestDevice(7), to: log), devices[1].epoch(in: log))
        let newcomer = TestDevice(7)
        let ring = newcomer.ring(merged)
        // The new epoch leaves the newcomer out, so that the first is current for all.
        #expect(ring.current(in: merged)?.number == 1)
        #expect(ring.rotationTurn(of: newcomer.device, in: merged) == nil)
        let turns = devices.compactMap { device in
            device.ring(merged).rotationTurn(of: device.device, in: merged)
        }
        #expect(turns.sorted() == [0, 1])
    }
}
