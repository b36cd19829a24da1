import LinnetMembership
import LinnetWire
import Testing

struct PairingCountersTests {
    private static let hour = Limits.pairingLockMilliseconds

    private func at(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: milliseconds, uptimeMilliseconds: 0)
    }

    private func code(_ number: Int) -> Bytes8 { Bytes8(repeating: UInt8(number)) }

    /// The counters after a crash: what the store gives back.
    private func reopened(_ counters: PairingCounters) throws -> PairingCounters {
        try PairingCounters(decoding: counters.encode())
    }

    /// Counters after `count` codes that died a minute apart.
    private func afterDeaths(_ count: Int) throws -> PairingCounters {
        var counters = PairingCounters()
        for number in 0..<count {
            let now = at(Int64(number) * 60_000)
            try counters.begin(code: code(number), at: now)
            for _ in 0..<Limits.pairingTries {
                _ = try counters.takeTry(of: code(number), at: now)
            }
        }
        return counters
    }

    @Test func `a code has three tries, across a crash before each answer`() throws {
        var counters = PairingCounters()
        try counters.begin(code: code(1), at: at(0))
        for left in (0..<Limits.pairingTries).reversed() {
            #expect(try counters.takeTry(of: code(1), at: at(0)) == left)
            counters = try reopened(counters)
        }
        #expect(throws: MembershipError.codeDead) {
            _ = try counters.takeTry(of: code(1), at: at(0))
        }
    }

    @Test func `only the code on screen has tries`() throws {
        var counters = PairingCounters()
        #expect(throws: MembershipError.codeExpired) {
            _ = try counters.takeTry(of: code(1), at: at(0))
        }
        try counters.begin(code: code(1), at: at(0))
        try counters.begin(code: code(2), at: at(0))
        #expect(throws: MembershipError.codeExpired) {
            _ = try counters.takeTry(of: code(1), at: at(0))
        }
    }

    @Test func `five dead codes in an hour lock for an hour, across a restart`() throws {
        var counters = try afterDeaths(Limits.pairingDeadCodes - 1)
        #expect(counters.lockedUntilWallMilliseconds(at: at(200_000)) == nil)
        counters = try reopened(try afterDeaths(Limits.pairingDeadCodes))
        let end = Int64(Limits.pairingDeadCodes - 1) * 60_000 + Self.hour
        for now in [240_000, 300_000, end - 1] {
            #expect(counters.lockedUntilWallMilliseconds(at: at(now)) == end)
            #expect(throws: MembershipError.codePairingLocked(untilWallMilliseconds: end)) {
                try counters.begin(code: code(9), at: at(now))
            }
        }
        #expect(counters.lockedUntilWallMilliseconds(at: at(end)) == nil)
        try counters.begin(code: code(9), at: at(end))
        #expect(try counters.takeTry(of: code(9), at: at(end)) == 2)
    }

    @Test func `a clock that is put back does not end the lock`() throws {
        var counters = try afterDeaths(5)
        #expect(counters.lockedUntilWallMilliseconds(at: at(-10 * Self.hour)) != nil)
        counters.liftLock()
        #expect(counters.lockedUntilWallMilliseconds(at: at(-10 * Self.hour)) == nil)
    }

    @Test func `a death after the clock was put back keeps the later time`() throws {
        var counters = try afterDeaths(4)
        let earlier = at(-5 * Self.hour)
        try counters.begin(code: code(8), at: earlier)
        for _ in 0..<3 { _ = try counters.takeTry(of: code(8), at: earlier) }
        #expect(
            counters.lockedUntilWallMilliseconds(at: earlier) == 3 * 60_000 + Self.hour)
    }

    @Test func `the last dead code counts until its window is over`() throws {
        let last = 3 * 60_000 + Limits.pairingWindowMilliseconds
        // A minute apart each: three of the four have left the window by then.
        for (milliseconds, remain) in [(last - 60_001, 2), (last - 1, 1), (last, 0)] {
            var counters = try afterDeaths(4)
            let now = at(milliseconds)
            for number in 0..<Limits.pairingDeadCodes - remain {
                #expect(counters.lockedUntilWallMilliseconds(at: now) == nil)
                try counters.begin(code: code(8 + number), at: now)
                for _ in 0..<Limits.pairingTries {
                    _ = try counters.takeTry(of: code(8 + number), at: now)
                }
            }
            #expect(counters.lockedUntilWallMilliseconds(at: now) != nil)
        }
    }

    @Test func `an untried or half tried code that ends is not a dead code`() throws {
        var counters = PairingCounters()
        for number in 0..<20 {
            try counters.begin(code: code(number), at: at(0))
            if number.isMultiple(of: 2) { _ = try counters.takeTry(of: code(number), at: at(0)) }
        }
        #expect(counters.lockedUntilWallMilliseconds(at: at(0)) == nil)
    }

    @Test func `a last try that succeeds is no death`() throws {
        var counters = try afterDeaths(4)
        let now = at(5 * 60_000)
        try counters.begin(code: code(8), at: now)
        for _ in 0..<3 { _ = try counters.takeTry(of: code(8), at: now) }
        #expect(counters.lockedUntilWallMilliseconds(at: now) != nil)
        counters.succeed(code: code(8))
        #expect(counters.lockedUntilWallMilliseconds(at: now) == nil)
        #expect(throws: MembershipError.codeExpired) {
            _ = try counters.takeTry(of: code(8), at: now)
        }
    }

    @Test func `the stored form is canonical and bounded`() throws {
        for counters in [PairingCounters(), try afterDeaths(2), try afterDeaths(5)] {
            #expect(try reopened(counters) == counters)
            for count in counters.encode().indices {
                let cut = Array(counters.encode().prefix(count))
                #expect(membershipError { _ = try PairingCounters(decoding: cut) } != nil)
            }
        }
        for bytes in [[], [0x84, 0x02, 0xf6, 0x00, 0x80], [0x84, 0x01, 0xf6, 0x04, 0x80]]
            as [[UInt8]]
        {
            #expect(membershipError { _ = try PairingCounters(decoding: bytes) } != nil)
        }
    }

    @Test func `extreme clocks do not overflow`() throws {
        var counters = PairingCounters()
        try counters.begin(code: code(1), at: at(.max))
        for _ in 0..<3 { _ = try counters.takeTry(of: code(1), at: at(.max)) }
        try counters.begin(code: code(2), at: at(.min))
        #expect(counters.lockedUntilWallMilliseconds(at: at(.min)) == nil)
    }
}
