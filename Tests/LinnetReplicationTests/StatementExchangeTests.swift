import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct StatementExchangeTests {
    private let fleet = Fleet()

    private func connected() throws -> [Device] {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        fleet.connect(devices[1], devices[0])
        return devices
    }

    private func exchange(_ device: Device) throws {
        device.perform(try device.replica?.exchangeStatements(at: fleet.now) ?? [])
        fleet.run()
    }

    private func awaited(_ device: Device) -> [DeviceID]? { device.replica?.devicesAwaited }

    private func pairs(_ device: Device) throws -> [StatementPair] {
        try device.replica?.reading.statementPairs() ?? []
    }

    /// Sends a body that a peer with the group's keys could send.
    private func sends(_ body: [UInt8], _ device: Device) throws {
        guard let session = device.replica?.sessions.all.first else { throw Device.Closed() }
        try session.send(.certificate, body)
        device.perform(device.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
        fleet.run()
    }

    private func statement(of device: Device) throws -> HoldingStatement {
        guard let statement = try device.replica?.holdingStatement(at: fleet.now) else {
            throw Device.Closed()
        }
        return statement
    }

    private func wasEnded(_ device: Device) -> Bool {
        device.events.contains {
            if case .sessionClosed(_, _, .protocolViolation) = $0 { true } else { false }
        }
    }

    @Test func `two devices sign for each other in a session, and both keep it`() throws {
        let devices = try connected()
        try devices[0].set("x", 1, .text("one"), at: fleet.now)
        fleet.run()
        try exchange(devices[0])
        #expect(awaited(devices[0]) == [])
        let before = try devices.map(pairs)
        #expect(before.map(\.count) == [1, 1])
        #expect(before[0][0].agrees && before[1][0].agrees)
        #expect(before[0][0].theirs == before[1][0].own)
        fleet.disconnectAll()
        for device in devices {
            try device.close()
            try device.open(at: fleet.now)
        }
        #expect(try devices.map(pairs) == before)
        let status = try devices[0].replica?.reading.status()
        let agreed = status?.members.compactMap(\.agreedWallMilliseconds)
        #expect(agreed == [fleet.now.wallMilliseconds])
    }

    @Test func `both may ask at once, and differing devices do not agree`() throws {
        let devices = try connected()
        for device in devices {
            device.perform(try device.replica?.exchangeStatements(at: fleet.now) ?? [])
        }
        fleet.run()
        #expect(try pairs(devices[0])[0].agrees)
        #expect(devices.allSatisfy { awaited($0) == [] })
        // One signs, and before that arrives the other writes.
        fleet.advance(2_000)
        devices[1].perform(try devices[1].replica?.exchangeStatements(at: fleet.now) ?? [])
        try devices[0].set("x", 1, .text("late"), at: fleet.now)
        fleet.run()
        #expect(try devices.allSatisfy { try !pairs($0)[0].agrees })
        try exchange(devices[1])
        #expect(try devices.allSatisfy { try pairs($0)[0].agrees })
    }

    @Test func `nothing is certified before it is durable`() throws {
        let devices = try connected()
        try devices[0].set("x", 1, .text("soon"), at: fleet.now, durability: .relaxed)
        try exchange(devices[1])
        #expect(awaited(devices[1])?.count == 1)
        try devices[0].flush(at: fleet.now)
        fleet.run()
        #expect(awaited(devices[1]) == [])
        #expect(try pairs(devices[1]).count == 1)
    }

    @Test func `many records are read for a statement over several calls`() throws {
        let devices = try connected()
        let writes = try (0..<1_400).map { number in
            try Write.set(
                collection: Device.medication, record: #require(RecordID("m\(number)")),
                fields: [FieldWrite(1, .text("name"))])
        }
        try devices[0].commit(writes, at: fleet.now)
        fleet.run()
        // The pages of records that are in no row are made in one go.
        for device in devices { try device.replica?.foldEverything() }
        try exchange(devices[0])
        var calls = [0, 0]
        while let place = devices.firstIndex(where: { $0.nextDeadline == 0 }) {
            #expect(awaited(devices[0])?.count == 1)
            calls[place] += 1
            fleet.meetDeadlines([devices[place]])
        }
        #expect(calls.allSatisfy { $0 >= 1 }, "\(calls)")
        #expect(awaited(devices[0]) == [])
        #expect(try devices.allSatisfy { try pairs($0)[0].agrees })
    }

    @Test func `a peer that takes no certificates is not asked`() throws {
        let devices = try connected()
        devices[0].replica?.sessions.all.first?.talk?.certificates.areTaken = false
        try exchange(devices[0])
        #expect(try awaited(devices[0]) == [] && pairs(devices[0]).isEmpty)
    }

    @Test func `the digest of pages is signed where both know it, and else the whole one`() throws {
        let devices = try connected()
        try devices[0].set("x", 1, .text("one"), at: fleet.now)
        fleet.run()
        try exchange(devices[0])
        #expect(try pairs(devices[1]).map(\.own.form) == [.tree])
        let root = try #require(try devices[0].replica?.reader.root())
        #expect(try pairs(devices[1]).map(\.theirs.visible) == [root])
        // As with a device of 0.1.0, within the second in which a statement is used again.
        for device in devices {
            device.replica?.sessions.all.first?.talk?.certificates.form = .whole
        }
        try exchange(devices[1])
        for pair in try devices.flatMap(pairs) {
            #expect(pair.agrees && pair.own.form == .whole && pair.theirs.form == .whole)
            #expect(try pair.own.visible == devices[0].digest())
            #expect(HoldingStatement(decoding: pair.own.encoded) == pair.own)
        }
    }

    @Test func `a greeting says whether the digest of pages is known`() throws {
        let devices = try connected()
        for device in devices {
            let talk = try #require(device.replica?.sessions.all.first?.talk)
            #expect(talk.certificates.areTaken && talk.certificates.form == .tree)
        }
        #expect(CertificateTalk().form == .whole)
    }

    @Test func `only the peer's own statement of this group is taken, and only when it may come`()
        throws
    {
        let stranger = try fleet.device("stranger", seed: 50)
        try stranger.found(at: fleet.now)
        let foreign = try statement(of: stranger)
        let bodies: [(Device) throws -> [UInt8]] = [
            { _ in [0xff] }, { _ in [] },
            { _ in CertificateMessage(wantsAnswer: true, statement: foreign).encode() },
            { device in
                // Both know the digest of pages.
                let whole = try device.replica?.holdingStatement(.whole, at: fleet.now)
                let statement = try #require(whole)
                return CertificateMessage(wantsAnswer: true, statement: statement).encode()
            },
            { device in
                let own = try statement(of: device)
                // Nobody asked for it.
                return CertificateMessage(wantsAnswer: false, statement: own).encode()
            },
            { device in
                let own = try statement(of: device)
                var body = CertificateMessage(wantsAnswer: true, statement: own).encode()
                body[body.count - 1] ^= 1
                return body
            },
        ]
        let devices = try fleet.group(["a", "b"])
        for body in bodies {
            fleet.disconnectAll()
            fleet.connect(devices[1], devices[0])
            devices[0].events = []
            try sends(body(devices[1]), devices[1])
            #expect(wasEnded(devices[0]))
            #expect(try pairs(devices[0]).isEmpty)
        }
        // The statement of another member, replayed by a member.
        fleet.disconnectAll()
        fleet.connect(devices[1], devices[0])
        devices[0].events = []
        let echoed = try statement(of: devices[0])
        try sends(
            CertificateMessage(wantsAnswer: true, statement: echoed).encode(), devices[1])
        #expect(wasEnded(devices[0]))
    }

    @Test func `statements are made once for the same changes, however often they are asked for`()
        throws
    {
        let devices = try connected()
        try exchange(devices[0])
        let first = try pairs(devices[0])
        fleet.advance(Limits.certificateMilliseconds - 1)
        try exchange(devices[0])
        #expect(try pairs(devices[0]) == first)
        fleet.advance(1)
        try exchange(devices[0])
        #expect(try pairs(devices[0])[0].own != first[0].own)
    }

    @Test func `what a peer held is known when it is gone, and unreadable bytes say nothing`()
        throws
    {
        let devices = try connected()
        try devices[0].set("x", 1, .text("one"), at: fleet.now)
        fleet.run()
        fleet.disconnectAll()
        let kept = try devices[0].replica?.storeForReading.peerKnowledge()
        let knowledge = try #require(kept?.first?.knowledge)
        let rows = devices[0].replica?.log.chainRows() ?? []
        #expect(!rows.isEmpty && rows.allSatisfy { knowledge.seq(of: $0.key) == $0.stored })
        let bytes = knowledge.encode()
        #expect(PeerKnowledge(decoding: bytes) == knowledge)
        for count in 0..<bytes.count {
            #expect(PeerKnowledge(decoding: Array(bytes.prefix(count))) == PeerKnowledge())
        }
        #expect(PeerKnowledge(decoding: [0x84, 3] + bytes.dropFirst(2)) == PeerKnowledge())
        #expect(knowledge.scopes == .everything)
    }

    @Test func `knowledge that an older version kept says nothing of scopes`() throws {
        var knowledge = PeerKnowledge()
        let old = knowledge.encode()
        #expect(old.first == 0x83)
        #expect(PeerKnowledge(decoding: old).scopes == nil)
        knowledge.scopes = .everything
        #expect(PeerKnowledge(decoding: knowledge.encode()).scopes == .everything)
    }
}
