import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// Epochs that somebody made badly, by mistake or to harm.
struct EpochUseTests {
    private func whole(_ devices: [TestDevice]) -> [DeviceID: Int] {
        Dictionary(uniqueKeysWithValues: devices.map { ($0.device, 112) })
    }

    private func turns(_ devices: [TestDevice], _ log: MembershipLog) -> [Int?] {
        devices.map { $0.ring(log).rotationTurn(of: $0.device, in: log) }
    }

    @Test func `an epoch without boxes stops nobody, and is not worth a new one`() throws {
        let (start, devices) = try group(of: 3)
        var log = start
        for round in 0..<20 {
            try log.insertAll(devices[2].forgedEpoch(in: log, number: UInt64(2 + round)))
        }
        for device in devices {
            let ring = device.ring(log)
            #expect(ring.current(in: log)?.number == 1)
            #expect(ring.writing?.id == log.state.firstEpoch?.id)
            #expect(ring.badEpochs.isEmpty)
        }
        #expect(turns(devices, log) == [nil, nil, nil])
        // Whoever starts one all the same is followed at once.
        try log.insertAll(devices[0].epoch(in: log))
        #expect(devices.allSatisfy { $0.ring(log).current(in: log)?.number == 22 })
        try log.insertAll(devices[0].add(TestDevice(7), to: log))
        #expect(TestDevice(7).ring(log).current(in: log)?.number == 22)
    }

    @Test func `a device whose box does not open says so in a new epoch, once`() throws {
        let (start, devices) = try group(of: 3)
        let forged = try devices[2].forgedEpoch(
            in: start, number: 2, .sealing(whole(devices)))
        var log = try start.inserting(forged)
        #expect(log.state.currentEpoch?.id == forged.id)
        let victim = devices[0].ring(log)
        #expect(victim.badEpochs == [forged.id])
        #expect(victim.rotationTurn(of: devices[0].device, in: log) == 0)
        // Until then it writes under what it holds.
        #expect(victim.writing?.number == 1)
        let answer = try devices[0].epoch(in: log)
        guard case .epoch(let payload) = answer.payload else { throw MembershipError.badEpoch }
        #expect(payload.bad == [forged.id])
        try log.insertAll(answer)
        #expect(log.state.currentEpoch?.id == answer.id)
        let epoch = try #require(log.state.epoch(forged.id))
        #expect(log.state.fault(of: epoch) == .calledBad(by: devices[0].device))
        #expect(turns(devices, log) == [nil, nil, nil])
        let next = try devices[1].epoch(in: log)
        guard case .epoch(let second) = next.payload else { throw MembershipError.badEpoch }
        #expect(second.bad.isEmpty)
        #expect(try MembershipLog(records: log.records.map(\.encoded)) == log)
    }

    @Test func `a device may call epochs bad, and others go on under an earlier or a later one`()
        throws
    {
        let (start, devices) = try group(of: 2)
        var log = start
        for seed in 1...3 { try log.insertAll(devices[0].epoch(in: log, seed: UInt64(seed))) }
        let all = log.state.epochs.map(\.id)
        try log.insertAll(
            devices[1].forgedEpoch(in: log, number: 5, .sealing([:], bad: all)))
        #expect(log.state.currentEpoch == nil)
        // Nobody waits for the next one to write.
        #expect(devices[0].ring(log).writing?.id == all[0])
        #expect(turns(devices, log).compactMap { $0 }.sorted() == [0, 1])
        try log.insertAll(devices[0].epoch(in: log))
        #expect(devices.allSatisfy { $0.ring(log).current(in: log)?.number == 6 })
        #expect(turns(devices, log) == [nil, nil])
    }

    @Test func `a newcomer comes by the keys of every concurrent epoch`() throws {
        let (start, devices) = try group(of: 2)
        let newcomer = TestDevice(9)
        var log = try start.inserting(
            devices[0].epoch(in: start, seed: 1), devices[1].epoch(in: start, seed: 2))
        #expect(turns(devices, log) == [nil, nil])
        try log.insertAll(devices[0].add(newcomer, to: log))
        #expect(newcomer.ring(log).epochs.filter { $0.dataKey != nil }.count == 2)
        #expect(turns(devices, log).compactMap { $0 }.sorted() == [0, 1])
        try log.insertAll(devices[0].epoch(in: log, seed: 3))
        #expect(newcomer.ring(log).epochs.filter { $0.dataKey != nil }.count == 4)
        #expect(turns(devices + [newcomer], log) == [nil, nil, nil])
    }

    @Test func `more epochs than one record can wrap are reached in steps`() throws {
        let (start, devices) = try group(of: 2)
        let newcomer = TestDevice(9)
        var log = start
        for seed in 0..<70 {
            // Beside each other, all of them below the founding.
            try log.insertAll(devices[seed % 2].epoch(in: start, seed: UInt64(100 + seed)))
        }
        try log.insertAll(devices[0].add(newcomer, to: log))
        var rounds = 0
        while devices[0].ring(log).rotationTurn(of: devices[0].device, in: log) != nil {
            rounds += 1
            try #require(rounds < 20)
            try log.insertAll(devices[0].epoch(in: log, seed: UInt64(500 + rounds)))
        }
        #expect(newcomer.ring(log).epochs.allSatisfy { $0.dataKey != nil })
        #expect(newcomer.ring(log).epochs.count == log.state.epochs.count)
    }

    @Test func `an admission under an old epoch makes a new one due, and writing goes on`() throws {
        let (start, devices) = try group(of: 3)
        let first = try #require(start.state.firstEpoch)
        var log = try start.inserting(devices[0].epoch(in: start, seed: 1))
        let newcomer = TestDevice(9)
        var payload = CBORWriter()
        payload.array(4)
        payload.raw(newcomer.certificate.encoded)
        payload.unsigned(0)
        payload.bytes(first.id)
        payload.bytes([UInt8](repeating: 5, count: 112))
        try log.insertAll(devices[2].record(kind: 1, payload: payload.bytes, in: log))
        // The first epoch has a box for each, so that it is the usable one.
        #expect(log.state.currentEpoch?.id == first.id)
        #expect(devices[0].ring(log).writing?.number == 1)
        #expect(turns(devices, log).compactMap { $0 }.sorted() == [0, 1, 2])
        try log.insertAll(devices[0].epoch(in: log, seed: 2))
        #expect(newcomer.ring(log).current(in: log)?.number == 3)
    }
}
