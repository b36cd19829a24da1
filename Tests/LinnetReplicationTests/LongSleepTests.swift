import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Devices that slept while the group's records and keys went on without them.
@Suite struct LongSleepTests {
    private let fleet = Fleet()

    /// Three devices that met; the last one sleeps from now on.
    private func sample() throws -> [Device] {
        let devices = try fleet.group(["a", "b", "c"])
        for device in devices.dropFirst() { fleet.connect(device, devices[0]) }
        fleet.disconnectAll()
        return devices
    }

    /// Gives a device records of its own making, as if it had made them in the course of time.
    private func grow(_ device: Device, _ forge: (Forger) throws -> Void) throws {
        let forger = try Forger(device)
        let before = forger.log
        try forge(forger)
        guard let store = device.replica?.storeForReading else { throw Device.Closed() }
        try store.begin()
        for record in forger.log.records where !before.contains(record.id) {
            try store.appendMemberRecord(id: record.id, bytes: record.encoded)
        }
        try store.commit()
        try fleet.reopen(device)
    }

    /// Honest epochs, one after the other.
    private func rotate(_ device: Device, times: Int) throws {
        try grow(device) { forger in
            for _ in 0..<times {
                let ring = KeyRing(log: forger.log, keys: forger.keys)
                let epoch = try forger.log.makeEpoch(
                    ring: ring, keys: forger.keys, entropy: &forger.entropy)
                _ = try forger.log.insert(epoch)
            }
        }
    }

    /// Connects two devices, once and in vain as often as dials of an unknown address may need.
    private func meet(_ from: Device, _ to: Device, _ origin: LinkOrigin, tries: Int) throws {
        for _ in 0..<tries {
            fleet.connect(from, to, origin)
            if from.events.contains(where: Self.isOpen) { return }
            fleet.disconnectAll()
        }
        Issue.record("no session opened in \(tries) tries")
    }

    private static func isOpen(_ event: Event) -> Bool {
        if case .sessionOpened = event { true } else { false }
    }

    @Test(arguments: [false, true])
    func `thirty epochs later a device that slept is met at the first dial`(isSleeper: Bool) throws
    {
        let devices = try sample()
        try rotate(devices[0], times: 30)
        let (from, to) = isSleeper ? (devices[2], devices[0]) : (devices[0], devices[2])
        from.events = []
        try meet(from, to, .dialledMember(deviceID(of: to)), tries: 1)
        try from.set("x", 1, .text("heard"), at: fleet.now)
        fleet.run()
        #expect(try to.value("x", 1) == .text("heard"))
        try expectConverged([devices[0], devices[2]])
    }

    @Test func `a sleeper whose tag is recognised is dialled with the key of its epoch`() throws {
        let devices = try sample()
        guard let epoch = devices[2].replica?.reading.discoveryKeys().first?.epoch else {
            throw Device.Closed()
        }
        try rotate(devices[0], times: 30)
        let known = devices[0].replica?.reading.discoveryKeys().map(\.epoch) ?? []
        #expect(known.contains(epoch) && known.count == 31)
        devices[0].events = []
        try meet(devices[0], devices[2], .dialledHolder(of: epoch), tries: 1)
    }

    @Test func `an address of which nothing is known is reached within a few dials`() throws {
        let devices = try sample()
        try rotate(devices[0], times: 30)
        devices[0].events = []
        try meet(devices[0], devices[2], .dialled, tries: 12)
        fleet.disconnectAll()
        try rotate(devices[0], times: 30)
        devices[2].events = []
        try meet(devices[2], devices[0], .dialled, tries: 1)
    }

    @Test func `a device that was admitted meanwhile and one that slept find each other`() throws {
        let devices = try sample()
        try rotate(devices[0], times: 12)
        let newcomer = try fleet.device("d", seed: 9)
        try fleet.pair(member: devices[0], newcomer: newcomer)
        fleet.connect(newcomer, devices[0])
        fleet.disconnectAll()
        newcomer.events = []
        try meet(newcomer, devices[2], .dialledMember(deviceID(of: devices[2])), tries: 3)
        fleet.run()
        #expect(devices[2].replica?.group?.log.state.members.count == 4)
    }

    @Test func `a sleeper meets a newcomer by an address alone`() throws {
        let devices = try sample()
        try rotate(devices[0], times: 12)
        let newcomer = try fleet.device("d", seed: 9)
        try fleet.pair(member: devices[0], newcomer: newcomer)
        fleet.connect(newcomer, devices[0])
        fleet.disconnectAll()
        devices[2].events = []
        try meet(devices[2], newcomer, .dialled, tries: 12)
    }

    @Test func `a log of some megabytes comes in one session, page by page`() throws {
        let devices = try sample()
        try grow(devices[0]) { forger in
            for number in 0..<300 {
                var payload = CBORWriter()
                payload.bytes([UInt8](repeating: UInt8(number % 256), count: 9_000))
                _ = try forger.record(kind: 200, payload: payload.bytes)
            }
        }
        devices[2].events = []
        fleet.connect(devices[2], devices[0], .dialledMember(try deviceID(of: devices[0])))
        #expect(devices[2].events.contains(where: Self.isOpen))
        #expect(
            devices[2].replica?.group?.log.records.count
                == devices[0].replica?.group?.log.records.count)
        try expectConverged([devices[0], devices[2]])
    }

    @Test func `hundreds of records that nothing follows hide no head`() throws {
        let devices = try sample()
        try grow(devices[0]) { forger in
            let base = forger.log
            for number in 0..<400 {
                try forger.beside(base, kind: 200, payload: [0x18, UInt8(24 + number % 200)])
            }
            for number in 0..<400 {
                try forger.beside(base, kind: 201, payload: [0x18, UInt8(24 + number % 200)])
            }
        }
        #expect((devices[0].replica?.group?.log.heads.count ?? 0) >= 400)
        devices[2].events = []
        fleet.connect(devices[2], devices[0], .dialledMember(try deviceID(of: devices[0])))
        #expect(devices[2].events.contains(where: Self.isOpen))
        fleet.disconnectAll()
        devices[0].events = []
        fleet.connect(devices[0], devices[2], .dialledMember(try deviceID(of: devices[2])))
        #expect(devices[0].events.contains(where: Self.isOpen))
        try expectConverged([devices[0], devices[2]])
    }

    @Test func `a newcomer is welcomed to a group whose records exceed one message`() throws {
        let devices = try sample()
        try grow(devices[0]) { forger in
            for _ in 0..<150 {
                var payload = CBORWriter()
                payload.bytes([UInt8](repeating: 7, count: 20_000))
                _ = try forger.record(kind: 200, payload: payload.bytes)
            }
        }
        let newcomer = try fleet.device("d", seed: 9)
        try fleet.pair(member: devices[0], newcomer: newcomer)
        #expect(newcomer.isMember)
        #expect(
            devices[0].events.contains { if case .paired = $0 { true } else { false } })
        #expect(
            // Its own first record comes to that.
            newcomer.replica?.group?.log.records.count
                == devices[0].replica?.group.map { $0.log.records.count + 1 })
        try fleet.reopen(newcomer)
        #expect(newcomer.isMember)
    }
}
