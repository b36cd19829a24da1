import Linnet
import LinnetCrypto
import LinnetDiscovery
import LinnetWire
import Testing

private func moment(_ milliseconds: Int64) -> Moment {
    Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
}

private func address(_ text: String) throws -> SocketAddress {
    try #require(Endpoint(parsing: text)?.socketAddress)
}

private func device(_ byte: UInt8) throws -> DeviceID {
    try #require(DeviceID([UInt8](repeating: byte, count: 32)))
}

/// A plan with its randomness, driven by hand.
private struct Driver: ~Copyable {
    var plan = DialPlan()
    var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))

    mutating func actions(at now: Int64) -> [DialAction] {
        plan.actions(at: moment(now), entropy: &entropy)
    }

    /// The addresses dialled at a moment, with their attempts.
    mutating func dials(at now: Int64) -> [(AttemptID, SocketAddress)] {
        actions(at: now).compactMap { action in
            if case .dial(let attempt, _, let address) = action { (attempt, address) } else { nil }
        }
    }

    mutating func fail(_ attempt: AttemptID, at now: Int64) {
        plan.failed(attempt, at: moment(now), entropy: &entropy)
    }
}

struct DialPlanTests {
    @Test func `addresses are raced a quarter of a second apart, families in turn`() throws {
        var driver = Driver()
        let addresses = try ["10.0.0.1:1", "10.0.0.2:1", "[fd00::1]:1"].map(address)
        driver.plan.add(.instance("a"), addresses: addresses, at: moment(0))
        #expect(driver.dials(at: 0).map(\.1) == [addresses[2]])
        #expect(driver.plan.nextDeadline == 250)
        #expect(driver.dials(at: 249).isEmpty)
        #expect(driver.dials(at: 250).map(\.1) == [addresses[0]])
        #expect(driver.dials(at: 500).map(\.1) == [addresses[1]])
        #expect(driver.plan.nextDeadline == nil)
    }

    @Test func `what leads back to this device is not dialled again by itself`() throws {
        var driver = Driver()
        let own = try address("10.0.0.1:1")
        let other = try address("10.0.0.2:1")
        for target in [DialTarget.peer("a"), .instance("b"), .device(try device(1))] {
            driver.plan = DialPlan()
            driver.plan.add(target, addresses: [own, other], at: moment(0))
            let first = try #require(driver.dials(at: 0).first)
            _ = driver.plan.connected(first.0)
            driver.plan.reachedItself(first.0, own, at: moment(1), entropy: &driver.entropy)
            switch target {
            case .device: #expect(driver.dials(at: 1).map(\.1) == [other])
            case .peer, .instance, .pairing:
                #expect(driver.dials(at: 1).isEmpty && driver.plan.nextDeadline == nil)
            }
            // Whoever else has the address is spared.
            driver.plan.add(.instance("c"), addresses: [own], at: moment(500_000))
            #expect(!driver.dials(at: 500_000).map(\.1).contains(own))
        }
        // A person asks, or the network changed.
        driver.plan.hurry(at: moment(600_000))
        #expect(driver.dials(at: 600_000).map(\.1).contains(own))
    }

    @Test func `a round has failed once all its addresses have`() throws {
        var driver = Driver()
        let target = DialTarget.instance("a")
        let addresses = try ["10.0.0.1:1", "10.0.0.2:1"].map(address)
        driver.plan.add(target, addresses: addresses, at: moment(0))
        let first = try #require(driver.dials(at: 0).first)
        driver.fail(first.0, at: 1)
        #expect(driver.plan.failedRounds(of: target) == 0)
        let second = try #require(driver.dials(at: 1).first)
        driver.fail(second.0, at: 2)
        #expect(driver.plan.failedRounds(of: target) == 1)
        #expect(driver.plan.failedRounds(of: .instance("b")) == 0)
    }

    @Test func `a refused address makes the next one start at once`() throws {
        var driver = Driver()
        let addresses = try ["10.0.0.1:1", "10.0.0.2:1"].map(address)
        driver.plan.add(.instance("a"), addresses: addresses, at: moment(0))
        let first = try #require(driver.dials(at: 0).first)
        driver.fail(first.0, at: 3)
        #expect(driver.dials(at: 3).map(\.1) == [addresses[1]])
    }

    @Test func `the first to connect goes on alone`() throws {
        var driver = Driver()
        let addresses = try ["10.0.0.1:1", "10.0.0.2:1", "10.0.0.3:1"].map(address)
        driver.plan.add(.instance("a"), addresses: addresses, at: moment(0))
        let slow = try #require(driver.dials(at: 0).first)
        let quick = try #require(driver.dials(at: 250).first)
        let isUsed = driver.plan.connected(quick.0)
        #expect(isUsed)
        #expect(driver.actions(at: 251) == [.abandon(slow.0)])
        let isSecondUsed = driver.plan.connected(slow.0)
        #expect(!isSecondUsed)
        #expect(driver.plan.nextDeadline == nil)
    }

    @Test func `an address that loses the handshake gives the losers of the race their turn`()
        throws
    {
        var driver = Driver()
        let addresses = try ["10.0.0.1:1", "10.0.0.2:1"].map(address)
        driver.plan.add(.instance("a"), addresses: addresses, at: moment(0))
        _ = driver.dials(at: 0)
        let stale = try #require(driver.dials(at: 250).first)
        let isUsed = driver.plan.connected(stale.0)
        #expect(isUsed)
        driver.fail(stale.0, at: 300)
        #expect(driver.dials(at: 300).map(\.1) == [addresses[0]])
    }

    @Test func `pauses double from half a second to a minute, with jitter`() throws {
        var driver = Driver()
        driver.plan.add(.instance("a"), addresses: [try address("10.0.0.1:1")], at: moment(0))
        var now: Int64 = 0
        var pauses: [Int64] = []
        for _ in 0..<12 {
            let attempt = try #require(driver.dials(at: now).first)
            driver.fail(attempt.0, at: now)
            let next = try #require(driver.plan.nextDeadline)
            pauses.append(next - now)
            now = next
        }
        for (round, pause) in pauses.enumerated() {
            let full = min(Int64(500) << Int64(round), 60_000)
            #expect((full / 2...full).contains(pause))
        }
        #expect(Set(pauses.suffix(5)).count > 1)
    }

    @Test func `success forgets the failures and a lost session is dialled again soon`() throws {
        var driver = Driver()
        let phone = try device(1)
        driver.plan.add(.instance("a"), addresses: [try address("10.0.0.1:1")], at: moment(0))
        var now: Int64 = 0
        for _ in 0..<8 {
            let attempt = try #require(driver.dials(at: now).first)
            driver.fail(attempt.0, at: now)
            now = try #require(driver.plan.nextDeadline)
        }
        let attempt = try #require(driver.dials(at: now).first)
        let isUsed = driver.plan.connected(attempt.0)
        #expect(isUsed)
        driver.plan.succeeded(attempt.0, device: phone, at: moment(now))
        #expect(driver.plan.nextDeadline == nil)
        driver.plan.deviceDisconnected(phone, at: moment(now + 10), entropy: &driver.entropy)
        let next = try #require(driver.plan.nextDeadline)
        #expect((now + 260...now + 510).contains(next))
    }

    @Test func `a device that is connected is not dialled under any of its names`() throws {
        var driver = Driver()
        let phone = try device(1)
        let (first, second) = (try address("10.0.0.1:1"), try address("10.0.0.2:1"))
        driver.plan.add(.device(phone), addresses: [first], device: phone, at: moment(0))
        driver.plan.add(.instance("a"), addresses: [second], at: moment(0))
        let dials = driver.dials(at: 0)
        #expect(dials.count == 2)
        let other = try #require(dials.first)
        let isUsed = driver.plan.connected(other.0)
        #expect(isUsed)
        driver.plan.succeeded(other.0, device: phone, at: moment(1))
        let rest = driver.actions(at: 60_000)
        #expect(rest == [.abandon(dials[1].0)])
        #expect(driver.plan.nextDeadline == nil)
    }

    @Test func `an address is dialled for one of its targets at a time`() throws {
        var driver = Driver()
        let (shared, other) = (try address("10.0.0.1:1"), try address("10.0.0.2:1"))
        driver.plan.add(.device(try device(1)), addresses: [shared], at: moment(0))
        driver.plan.add(.peer("10.0.0.1:1"), addresses: [shared], at: moment(0))
        let first = try #require(driver.dials(at: 0).first)
        #expect(driver.dials(at: 0).isEmpty)
        #expect(driver.plan.nextDeadline == nil)
        // A target with another address goes on with that one, and pairing is for itself.
        driver.plan.add(.instance("b"), addresses: [shared, other], at: moment(1))
        driver.plan.add(.pairing("c"), addresses: [shared], at: moment(1))
        #expect(driver.dials(at: 1).map(\.1) == [other, shared])
        #expect(driver.plan.target(of: first.0) == .peer("10.0.0.1:1"))
        // The next one has its turn when the attempt fails.
        driver.fail(first.0, at: 2)
        let second = try #require(driver.dials(at: 2).first)
        #expect(driver.plan.target(of: second.0) == .device(try device(1)))
    }

    @Test func `a peer is reached when another target's attempt reached its address`() throws {
        var driver = Driver()
        let shared = try address("10.0.0.1:1")
        driver.plan.add(.peer("10.0.0.1:1"), addresses: [shared], at: moment(0))
        let first = try #require(driver.dials(at: 0).first)
        driver.plan.add(
            .device(try device(1)), addresses: [shared], device: try device(1), at: moment(0))
        driver.plan.add(.peer("[::ffff:10.0.0.1]:1"), addresses: [shared], at: moment(0))
        #expect(driver.dials(at: 0).isEmpty)
        let goesOn = driver.plan.connected(first.0)
        #expect(goesOn)
        driver.plan.succeeded(first.0, device: try device(1), at: moment(1))
        #expect(driver.plan.isSatisfied(.peer("10.0.0.1:1")))
        #expect(driver.plan.isSatisfied(.peer("[::ffff:10.0.0.1]:1")))
        #expect(driver.dials(at: 100_000).isEmpty)
    }

    @Test func `the address that worked is first in the next round`() throws {
        var driver = Driver()
        let phone = try device(1)
        let addresses = try ["10.0.0.1:1", "10.0.0.2:1"].map(address)
        driver.plan.add(.instance("a"), addresses: addresses, at: moment(0))
        let first = try #require(driver.dials(at: 0).first)
        driver.fail(first.0, at: 1)
        let second = try #require(driver.dials(at: 1).first)
        let isUsed = driver.plan.connected(second.0)
        #expect(isUsed)
        driver.plan.succeeded(second.0, device: phone, at: moment(2))
        driver.plan.deviceDisconnected(phone, at: moment(3), entropy: &driver.entropy)
        let next = try #require(driver.plan.nextDeadline)
        #expect(driver.dials(at: next).map(\.1) == [addresses[1]])
    }

    @Test func `a name is looked up for every round`() throws {
        var driver = Driver()
        let endpoint = try #require(Endpoint(parsing: "laptop.local:9"))
        driver.plan.add(peer: endpoint, at: moment(0))
        let target = DialTarget.peer("laptop.local:9")
        #expect(driver.actions(at: 0) == [.resolve(target, name: "laptop.local", port: 9)])
        #expect(driver.plan.nextDeadline == nil)
        let found = try address("10.0.0.1:9")
        driver.plan.resolved(target, [found], at: moment(5), entropy: &driver.entropy)
        let attempt = try #require(driver.dials(at: 5).first)
        driver.fail(attempt.0, at: 6)
        let next = try #require(driver.plan.nextDeadline)
        #expect(driver.actions(at: next) == [.resolve(target, name: "laptop.local", port: 9)])
        driver.plan.resolved(target, [], at: moment(next), entropy: &driver.entropy)
        #expect((driver.plan.nextDeadline ?? 0) > next)
    }

    @Test func `fresh addresses end a pause`() throws {
        var driver = Driver()
        let (old, new) = (try address("10.0.0.1:1"), try address("10.0.0.2:1"))
        driver.plan.add(.instance("a"), addresses: [old], at: moment(0))
        let attempt = try #require(driver.dials(at: 0).first)
        driver.fail(attempt.0, at: 0)
        driver.plan.add(.instance("a"), addresses: [old], at: moment(1))
        #expect(driver.dials(at: 1).isEmpty)
        driver.plan.add(.instance("a"), addresses: [new], at: moment(2))
        #expect(driver.dials(at: 2).map(\.1) == [new])
    }

    @Test func `a forgotten target is dialled no more`() throws {
        var driver = Driver()
        driver.plan.add(.instance("a"), addresses: [try address("10.0.0.1:1")], at: moment(0))
        let attempt = try #require(driver.dials(at: 0).first)
        driver.plan.remove(.instance("a"))
        #expect(driver.actions(at: 1) == [.abandon(attempt.0)])
        #expect(driver.plan.nextDeadline == nil)
        let isUsed = driver.plan.connected(attempt.0)
        #expect(!isUsed)
    }

    @Test func `a flood of addresses for one target is cut`() throws {
        var driver = Driver()
        let many = try (1...200).map { try address("10.0.0.\($0):1") }
        driver.plan.add(.instance("a"), addresses: many, at: moment(0))
        var count = 0
        for round in 0..<200 { count += driver.dials(at: Int64(round) * 250).count }
        #expect(count == DialPlan.addressesPerTarget)
    }
}
