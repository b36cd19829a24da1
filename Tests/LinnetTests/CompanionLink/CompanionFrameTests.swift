import Linnet
import Testing

struct CompanionFrameTests {
    private func frames(_ bytes: [UInt8], cut size: Int) -> [[UInt8]]? {
        var reader = CompanionFrameReader()
        var frames: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            guard let more = reader.read(Array(bytes[start..<min(start + size, bytes.count)]))
            else { return nil }
            frames += more
        }
        return frames
    }

    @Test(arguments: [1, 3, 4, 5, 1000, 1 << 20])
    func `frames arrive whole however they are cut`(size: Int) throws {
        var queue = CompanionFrameQueue()
        let sent = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) }
        queue.append(Array(sent.prefix(10)))
        queue.append([])
        queue.append(Array(sent.dropFirst(10)))
        var wire: [UInt8] = []
        var count = 0
        while let frame = queue.takeFrame() {
            #expect(frame.count <= 65_536)
            wire += frame
            count += 1
        }
        #expect(count == 3)
        #expect(queue.byteCount == 0)
        let read = try #require(frames(wire, cut: size))
        #expect(read.count == 3)
        #expect(read.flatMap { $0 } == sent)
    }

    @Test func `what is sent together leaves in one frame, in order`() {
        var queue = CompanionFrameQueue()
        for number in 0..<200 { queue.append([UInt8(number)]) }
        #expect(queue.byteCount == 200)
        #expect(queue.takeFrame() == [0, 0, 0, 200] + (0..<200).map { UInt8($0) })
        #expect(queue.takeFrame() == nil)
    }

    @Test func `a frame of the largest size is read and one byte more is refused`() {
        var reader = CompanionFrameReader()
        let content = [UInt8](repeating: 7, count: 65_532)
        #expect(reader.read(CompanionFrame.encoded(content)) == [content])
        #expect(reader.waitingBytes == 0)
        #expect(reader.read([0, 0, 0xff, 0xfd]) == nil)
    }

    @Test func `a length of all ones ends the reading and keeps nothing`() {
        var reader = CompanionFrameReader()
        #expect(reader.read([0xff, 0xff, 0xff, 0xff] + [UInt8](repeating: 1, count: 100)) == nil)
        #expect(reader.waitingBytes == 0)
    }

    @Test func `random bytes neither trap nor are kept beyond one frame`() {
        var state: UInt64 = 42
        for _ in 0..<200 {
            var reader = CompanionFrameReader()
            for _ in 0..<50 {
                let part = (0..<997).map { _ -> UInt8 in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    // Small lengths often, so that some are taken for frames.
                    return state >> 60 == 0 ? UInt8(truncatingIfNeeded: state >> 32) : 0
                }
                guard reader.read(part) != nil else { break }
                #expect(reader.waitingBytes < 65_536)
            }
        }
    }
}
