import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetWire
import Testing

@Suite struct PairingTests {
    private let fleet = Fleet()

    private func founder() throws -> Device {
        let founder = try fleet.device("phone", seed: 1)
        try founder.found(at: fleet.now)
        return founder
    }

    private func wrong(_ code: PairingCode) throws -> PairingCode {
        let digits = code.digits == "000000" ? "000001" : "000000"
        return try PairingCode(parsing: digits)
    }

    private func failures(_ device: Device) -> [PairingFailure] {
        device.events.compactMap { if case .pairingFailed(_, let why, _) = $0 { why } else { nil } }
    }

    @Test func `either side may show the code`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        let offer = try watch.offer(at: fleet.now)
        fleet.connect(member, watch, .dialledToPair(.code(try #require(offer.code))))
        try fleet.accept(on: member)
        #expect(watch.isMember)
        fleet.connect(watch, member)
        try expectConverged([member, watch])
    }

    @Test func `a device that lost its home and kept its keys pairs again`() throws {
        let member = try founder()
        for _ in 0..<2 {
            let watch = try fleet.device("watch", seed: 2)
            let offer = try member.offer(at: fleet.now)
            fleet.connect(watch, member, .dialledToPair(.code(try #require(offer.code))))
            try fleet.accept(on: member)
            #expect(watch.isMember)
        }
        #expect(failures(member).isEmpty)
    }

    @Test func `a ticket pairs without a code`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        let offer = try member.offer(at: fleet.now)
        fleet.connect(watch, member, .dialledToPair(.ticket(offer.ticket)))
        try fleet.accept(on: member)
        #expect(watch.isMember)
    }

    @Test func `three wrong guesses kill a code, and the right one no longer helps`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        let offer = try member.offer(at: fleet.now)
        let code = try #require(offer.code)
        for _ in 0..<3 {
            fleet.connect(watch, member, .dialledToPair(.code(try wrong(code))))
        }
        #expect(failures(member) == [.wrongSecret, .wrongSecret, .codeDead])
        #expect(failures(watch).allSatisfy { $0 == .closedAfterAnswer })
        fleet.connect(watch, member, .dialledToPair(.code(code)))
        #expect(!watch.isMember)
        #expect(!member.events.contains { if case .pairingRequest = $0 { true } else { false } })
    }

    @Test func `a guess that stops after the answer counts, also across a restart`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        let offer = try member.offer(at: fleet.now)
        let code = try #require(offer.code)
        for _ in 0..<3 {
            let (left, _) = fleet.connect(watch, member, .dialledToPair(.code(try wrong(code))))
            fleet.disconnect(left)
        }
        for _ in 0..<4 {
            let next = try member.offer(at: fleet.now)
            let shown = try #require(next.code)
            for _ in 0..<3 {
                fleet.connect(watch, member, .dialledToPair(.code(try wrong(shown))))
            }
        }
        try member.close()
        try member.open(at: fleet.now, witness: .intact(try #require(member.mark)))
        let locked = try member.offer(at: fleet.now)
        #expect(locked.code == nil)
        fleet.advance(3_600_001)
        let later = try member.offer(at: fleet.now)
        #expect(later.code != nil)
    }

    @Test func `a code is refused after two minutes, whatever the wall clock says`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        let offer = try member.offer(at: fleet.now)
        fleet.now.uptimeMilliseconds += 121_000
        fleet.now.wallMilliseconds -= 600_000
        fleet.connect(watch, member, .dialledToPair(.code(try #require(offer.code))))
        #expect(!watch.isMember)
    }

    @Test func `the person at the member's screen may say no`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        let offer = try member.offer(at: fleet.now)
        let (_, right) = fleet.connect(
            watch, member, .dialledToPair(.code(try #require(offer.code))))
        member.perform(
            member.replica?.handle(
                .pairingDecision(right, accept: false, role: .admin), at: fleet.now) ?? [])
        fleet.run()
        #expect(!watch.isMember)
        #expect(failures(watch) == [.denied])
    }

    @Test func `two newcomers cannot pair, and are told why`() throws {
        let watch = try fleet.device("watch", seed: 2)
        let laptop = try fleet.device("laptop", seed: 3)
        let offer = try watch.offer(at: fleet.now)
        fleet.connect(laptop, watch, .dialledToPair(.code(try #require(offer.code))))
        #expect(failures(watch) == [.exactlyOneMemberNeeded])
        #expect(failures(laptop).first == .exactlyOneMemberNeeded)
    }

    @Test func `a second link is closed while one pairs`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        let laptop = try fleet.device("laptop", seed: 3)
        let offer = try member.offer(at: fleet.now)
        let code = try #require(offer.code)
        fleet.connect(watch, member, .dialledToPair(.code(code)))
        fleet.connect(laptop, member, .dialledToPair(.code(code)))
        try fleet.accept(on: member)
        #expect(watch.isMember)
        #expect(!laptop.isMember)
    }

    @Test func `without an offer nobody can pair`() throws {
        let member = try founder()
        let watch = try fleet.device("watch", seed: 2)
        fleet.connect(
            watch, member, .dialledToPair(.code(try PairingCode(parsing: "123456"))))
        #expect(!watch.isMember)
        #expect(failures(watch).count == 1)
    }
}
