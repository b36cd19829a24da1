import LinnetCRDT
import LinnetWire
import Testing

@Suite struct HybridLogicalClockTests {
    @Test(arguments: 0..<50) func `stamps only rise, whatever the wall clock does`(seed: Int) {
        var seeded = Seeded(seed)
        var clock = HybridLogicalClock()
        var previous = clock.last
        for _ in 0..<200 {
            let wall = Int64(seeded.below(2_000)) - 500
            if seeded.below(3) == 0 {
                clock.observe(Timestamp(wallMilliseconds: wall * 3), wallMilliseconds: wall)
                #expect(clock.last >= previous)
            } else {
                let stamp = clock.tick(wallMilliseconds: wall)
                #expect(stamp > previous && stamp >= Timestamp(wallMilliseconds: wall))
                #expect(stamp == clock.last)
            }
            previous = clock.last
        }
    }

    @Test func `a stamp from the far future moves the clock five minutes at most`() {
        var clock = HybridLogicalClock()
        let furthest = 1_000_000 + Limits.clockClampMilliseconds
        for stamp in [furthest - 1, furthest, furthest + 1] {
            clock.observe(Timestamp(wallMilliseconds: stamp), wallMilliseconds: 1_000_000)
            #expect(clock.last.milliseconds == min(stamp, furthest))
        }
        clock.observe(.ceiling, wallMilliseconds: 1_000_000)
        #expect(clock.last == Timestamp(wallMilliseconds: 1_300_000))
        clock.observe(Timestamp(wallMilliseconds: 5), wallMilliseconds: 1_000_000)
        #expect(clock.last == Timestamp(wallMilliseconds: 1_300_000))
        clock.observe(Timestamp(wallMilliseconds: 1_300_001), wallMilliseconds: .min)
        #expect(clock.last == Timestamp(wallMilliseconds: 1_300_000))
        clock.observe(.ceiling, wallMilliseconds: .max)
        #expect(clock.last.milliseconds == 1 << 47 - 1)
    }

    @Test func `a full counter received borrows the next millisecond`() throws {
        var clock = HybridLogicalClock()
        let full = try #require(Timestamp(rawValue: 7 << 16 | 0xffff))
        clock.observe(full, wallMilliseconds: 7)
        #expect(clock.tick(wallMilliseconds: 7) == Timestamp(wallMilliseconds: 8))
    }

    @Test func `at the ceiling the ceiling is given out again`() {
        var clock = HybridLogicalClock(last: .ceiling)
        #expect(clock.tick(wallMilliseconds: 0) == .ceiling)
        #expect(clock.tick(wallMilliseconds: .max) == .ceiling)
    }

    @Test func `a clock that a wrong wall clock took ahead comes back, and no other does`() {
        let wall: Int64 = 1_800_000_000_000
        let decade: Int64 = 315_360_000_000
        var clock = HybridLogicalClock()
        _ = clock.tick(wallMilliseconds: wall + decade)
        #expect(HybridLogicalClock.isAhead(clock.last, of: wall))
        let isHealed = clock.heal(wallMilliseconds: wall)
        #expect(isHealed)
        #expect(clock.last == Timestamp(wallMilliseconds: wall))
        let next = clock.tick(wallMilliseconds: wall)
        #expect(next == Timestamp(wallMilliseconds: wall).next)
        // As far as a received stamp may take it, it stays.
        clock.observe(.ceiling, wallMilliseconds: wall)
        let isTakenBack = clock.heal(wallMilliseconds: wall)
        #expect(!isTakenBack)
        #expect(clock.last.milliseconds == wall + Limits.clockClampMilliseconds)
        #expect(!HybridLogicalClock.isAhead(clock.last, of: wall))
        let answers = [wall - 1, .max].map { clock.heal(wallMilliseconds: $0) }
        #expect(answers == [true, false])
    }

    @Test func `an overwrite is stamped above what it replaces`() throws {
        let now = Timestamp(wallMilliseconds: 100)
        let future = Timestamp(wallMilliseconds: 9_000)
        #expect(HybridLogicalClock.overwrite(visible: nil, now: now) == now)
        #expect(HybridLogicalClock.overwrite(visible: .zero, now: now) == now)
        #expect(HybridLogicalClock.overwrite(visible: now, now: now) == now.next)
        #expect(HybridLogicalClock.overwrite(visible: future, now: now) == future.next)
        #expect(HybridLogicalClock.overwrite(visible: .ceiling, now: now) == .ceiling)
    }
}
