import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetBench

@Suite struct BenchStreamTests {
    @Test func `the generator is splitmix64`() {
        var state: UInt64 = 1_234_567
        #expect(BenchStream.next(&state) == 6_457_827_717_110_365_317)
        #expect(BenchStream.next(&state) == 3_203_168_211_198_807_973)
    }

    @Test func `values have the form that every peer writes`() throws {
        #expect(try BenchStream.record(42).description == "med-00000042")
        #expect(try BenchStream.value(0, 1_000_007) == .text("Medication 000007"))
        let dose = try #require(Decimal64(parsing: "0.75"))
        #expect(try BenchStream.value(1, 4_003) == .decimal(dose))
        #expect(try BenchStream.value(2, 3) == .text("mcg"))
        #expect(try BenchStream.value(3, 1) == .bool(true))
        #expect(try BenchStream.value(4, 0x0d01) == .text("05:00,13:30"))
        #expect(try BenchStream.value(5, 501) == .int(1))
        #expect(try BenchStream.value(6, 0xabc) == .text("take with food 00000abc"))
        #expect(try BenchStream.value(7, 0x1_00ff) == .text("dev-00ff"))
    }

    @Test func `a permutation names every cell once`() {
        let cells = BenchStream.permutation(1_000, seed: 42)
        #expect(cells.sorted() == Array(0..<1_000))
        #expect(cells != Array(0..<1_000))
        #expect(cells == BenchStream.permutation(1_000, seed: 42))
        #expect(cells != BenchStream.permutation(1_000, seed: 43))
        #expect(BenchStream.permutation(0, seed: 1).isEmpty)
    }

    @Test func `the random updates are those of the first workload`() {
        var updates = RandomUpdates(records: 10_000)
        let (cell, number) = updates.next()
        var state: UInt64 = 1
        let x = BenchStream.next(&state)
        #expect(cell == Int(x % 10_000) * 8 + Int((x >> 32) % 8))
        #expect(number == BenchStream.next(&state))
    }
}
