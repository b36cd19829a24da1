import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct PairWelcomeTests {
    private let member = TestDevice(1)
    private let newcomer = TestDevice(2)

    private func sample() throws -> MembershipLog {
        let log = try member.found()
        return try log.inserting(member.add(newcomer, to: log))
    }

    @Test func `a newcomer becomes a member with keys`() throws {
        let log = try sample()
        let welcome = try PairWelcome(decoding: PairWelcome(log: log).encode())
        let admission = try welcome.admit(newcomer.keys, by: member.device)
        #expect(admission.log == log)
        let key = try #require(admission.ring.current(in: log)?.dataKey)
        #expect(
            key.bytes.exposed()
                == member.ring(log).current(in: log)?.dataKey?.bytes.exposed())
    }

    @Test func `a newcomer that lost the first welcome is welcomed again`() throws {
        let log = try sample()
        let again = try log.inserting(member.add(newcomer, to: log, seed: 9))
        let admission = try PairWelcome(log: again).admit(newcomer.keys, by: member.device)
        #expect(admission.log.state.members.count == 2)
    }

    @Test func `a welcome without the newcomer, its keys or its sender is refused`() throws {
        let log = try sample()
        let welcome = PairWelcome(log: log)
        #expect(throws: MembershipError.incompleteWelcome) {
            _ = try PairWelcome(log: member.found()).admit(newcomer.keys, by: member.device)
        }
        #expect(throws: MembershipError.incompleteWelcome) {
            _ = try welcome.admit(newcomer.keys, by: TestDevice(3).device)
        }
        #expect(throws: MembershipError.incompleteWelcome) {
            _ = try welcome.admit(TestDevice(3).keys, by: member.device)
        }
        // The box of the admission is not one for the newcomer.
        let empty = try member.found()
        var box = CBORWriter()
        box.array(4)
        box.raw(newcomer.certificate.encoded)
        box.unsigned(0)
        box.bytes(try #require(empty.state.currentEpoch).id)
        box.bytes([UInt8](repeating: 7, count: 112))
        let forged = try empty.inserting(member.record(kind: 1, payload: box.bytes, in: empty))
        #expect(forged.state.members.count == 2)
        #expect(throws: MembershipError.incompleteWelcome) {
            _ = try PairWelcome(log: forged).admit(newcomer.keys, by: member.device)
        }
        // An epoch that leaves the newcomer out is not used, and keeps nobody out.
        let narrow = try log.inserting(member.epoch(in: empty, seed: 30))
        _ = try PairWelcome(log: narrow).admit(newcomer.keys, by: member.device)
    }

    @Test func `a welcome that names another group is refused`() throws {
        var writer = CBORWriter()
        let records = try sample().records
        writer.array(2)
        writer.bytes(Bytes32(repeating: 9))
        writer.array(records.count)
        for record in records { writer.raw(record.encoded) }
        let welcome = try PairWelcome(decoding: writer.bytes)
        #expect(throws: MembershipError.incompleteWelcome) {
            _ = try welcome.admit(newcomer.keys, by: member.device)
        }
    }

    /// A page of records that are not judged before all have come.
    private func page(_ count: Int, remaining: UInt64) throws -> PairWelcome {
        var writer = CBORWriter()
        writer.array(remaining == 0 ? 2 : 3)
        writer.bytes(Bytes32(repeating: 9))
        writer.array(count)
        for _ in 0..<count { writer.null() }
        if remaining > 0 { writer.unsigned(remaining) }
        return try PairWelcome(decoding: writer.bytes)
    }

    @Test func `pages are joined, up to as many records as a device keeps`() throws {
        var welcome = try page(Limits.memberRecordsHeld - 1, remaining: 7)
        #expect(welcome.remaining == 7)
        #expect(throws: MembershipError.noRoom) { try welcome.append(page(0, remaining: 7)) }
        #expect(throws: MembershipError.noRoom) { try welcome.append(page(2, remaining: 5)) }
        try welcome.append(page(1, remaining: 0))
        #expect(welcome.records.count == Limits.memberRecordsHeld && welcome.remaining == 0)
        #expect(throws: MembershipError.noRoom) { try welcome.append(page(1, remaining: 0)) }
        #expect(throws: MembershipError.self) {
            try page(Limits.memberRecordsHeld + 1, remaining: 1)
        }
    }

    @Test func `a log is divided into pages and put together again`() throws {
        let log = try sample()
        var pages = WelcomePages(log: log)
        let (first, second) = (pages.nextPage(), pages.nextPage())
        let page = try #require(first)
        #expect(page.records == log.records.map(\.encoded) && page.remaining == 0)
        #expect(second == nil)
    }

    @Test func `a changed or missing record is noticed`() throws {
        let body = try PairWelcome(log: sample()).encode()
        for index in stride(from: 40, to: body.count, by: 7) {
            var changed = body
            changed[index] ^= 1
            #expect(
                membershipError {
                    _ = try PairWelcome(decoding: changed).admit(
                        newcomer.keys, by: member.device)
                } != nil)
        }
        #expect(throws: MembershipError.welcomeTooLarge) {
            _ = try PairWelcome(
                decoding: [UInt8](repeating: 0, count: Limits.messageBytes + 1))
        }
    }

    @Test func `a full group fits one welcome`() throws {
        let (log, devices) = try group(of: Limits.devices)
        let body = try PairWelcome(log: log).encode()
        let last = try #require(devices.last)
        let admission = try PairWelcome(decoding: body).admit(last.keys, by: devices[0].device)
        #expect(admission.log == log)
    }
}
