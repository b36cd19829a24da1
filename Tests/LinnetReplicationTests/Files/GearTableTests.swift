import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct GearTableTests {
    private let gear = GearTable(fileKey: FileBench.key)

    @Test func `a table has a number for each byte, and another key another table`() {
        #expect(gear.numbers.count == 256 && Set(gear.numbers).count == 256)
        #expect(GearTable(fileKey: [UInt8](repeating: 8, count: 32)).numbers != gear.numbers)
    }

    @Test func `no chunk ends before the least length, and none after the most`() {
        let least = Limits.chunkMinimumBytes
        let most = Limits.chunkMaximumBytes
        let content = FileBench.content(3_000_000)
        #expect(gear.cut(content, from: 0, count: least) == least)
        var start = 0
        var lengths: [Int] = []
        while start < content.count {
            lengths.append(gear.cut(content, from: start, count: content.count - start))
            start += lengths[lengths.count - 1]
        }
        #expect(lengths.dropLast().allSatisfy { $0 > least && $0 <= most })
        // Nothing but zeros never ends a chunk, unless the table makes it end at once.
        let zeros = [UInt8](repeating: 0, count: most + 10)
        let cut = gear.cut(zeros, from: 0, count: zeros.count)
        #expect(cut == most || cut <= least + 64)
    }

    @Test func `chunks have a quarter of a mebibyte or a little more on average`() {
        let content = FileBench.content(24 << 20)
        var (start, count) = (0, 0)
        while start < content.count {
            start += gear.cut(content, from: start, count: content.count - start)
            count += 1
        }
        let average = content.count / count
        #expect(average > Limits.chunkNormalBytes * 3 / 4)
        #expect(average < Limits.chunkNormalBytes * 3 / 2)
    }
}
