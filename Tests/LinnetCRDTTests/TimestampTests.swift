import LinnetCRDT
import LinnetWire
import Testing

@Suite struct TimestampTests {
    @Test func `milliseconds are the high 48 bits`() throws {
        let stamp = try #require(Timestamp(rawValue: 1_000 << 16 | 7))
        #expect(stamp.milliseconds == 1_000)
        #expect(stamp > Timestamp(wallMilliseconds: 1_000))
        #expect(stamp < Timestamp(wallMilliseconds: 1_001))
        #expect(Timestamp(rawValue: -1) == nil)
    }

    @Test func `a full counter carries into the milliseconds`() throws {
        let last = try #require(Timestamp(rawValue: 5 << 16 | 0xffff))
        #expect(last.next == Timestamp(wallMilliseconds: 6))
    }

    @Test func `the ceiling follows itself and wall clocks are clamped`() {
        let last = Limits.stampCeilingMilliseconds - 1
        #expect(Timestamp.ceiling.milliseconds == last)
        #expect(Timestamp.ceiling.next == .ceiling)
        #expect(Timestamp(wallMilliseconds: last).milliseconds == last)
        #expect(Timestamp(wallMilliseconds: last + 1) == Timestamp(wallMilliseconds: last))
        #expect(Timestamp(wallMilliseconds: -5) == .zero)
        #expect(Timestamp(wallMilliseconds: .min) == .zero)
        #expect(Timestamp(wallMilliseconds: .max).milliseconds == last)
        #expect(Timestamp(wallMilliseconds: .max) < .ceiling)
    }

    @Test func `steps past the ceiling do not exist`() {
        #expect(Timestamp.zero.advanced(by: UInt64(Int64.max)) == .ceiling)
        #expect(Timestamp.zero.advanced(by: UInt64(Int64.max) + 1) == nil)
        #expect(Timestamp.ceiling.advanced(by: 0) == .ceiling)
        #expect(Timestamp.ceiling.advanced(by: 1) == nil)
        #expect(Timestamp.ceiling.advanced(by: .max) == nil)
    }
}
