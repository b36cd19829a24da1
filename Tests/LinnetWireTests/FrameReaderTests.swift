import LinnetWire
import Testing

@Suite struct FrameReaderTests {
    @Test func `frames come out whole from a stream that drips byte by byte`() throws {
        var seeded = Seeded(1)
        let sizes = [Limits.transportFrameMinimumBytes, 17, 300, Limits.frameBytes]
        let payloads = sizes.map { seeded.bytes($0) }
        var reader = FrameReader()
        var received: [[UInt8]] = []
        for byte in payloads.flatMap(frame) {
            reader.append([byte])
            if let payload = try reader.next() { received.append(payload) }
        }
        #expect(received == payloads)
        #expect(reader.bufferedCount == 0)
    }

    @Test(arguments: 0..<20) func `frames come out whole however the stream is cut`(seed: Int)
        throws
    {
        var seeded = Seeded(seed)
        let payloads = (0..<20).map { _ in seeded.bytes(16 + seeded.below(500)) }
        var stream = payloads.flatMap(frame)[...]
        var reader = FrameReader()
        var received: [[UInt8]] = []
        while !stream.isEmpty {
            let piece = stream.prefix(1 + seeded.below(2_000))
            stream = stream.dropFirst(piece.count)
            reader.append(Array(piece))
            while let payload = try reader.next() {
                received.append(payload)
            }
        }
        #expect(received == payloads)
    }

    @Test(arguments: [0, Limits.transportFrameMinimumBytes - 1])
    func `a transport frame below a tag is refused`(count: Int) {
        var reader = FrameReader()
        reader.append(frame([UInt8](repeating: 0, count: count)))
        #expect(throws: WireError.badLength) { try reader.next() }
    }

    @Test(arguments: [0, 15, 47, 49, 65_535])
    func `a handshake frame of another length is refused at its second byte`(count: Int) throws {
        var reader = FrameReader()
        reader.append([UInt8(count >> 8)])
        #expect(try reader.next(exactly: 48) == nil)
        reader.append([UInt8(count & 255)])
        #expect(throws: WireError.badLength) { try reader.next(exactly: 48) }
    }

    @Test func `unframed bytes can be taken before the first frame`() throws {
        var reader = FrameReader()
        reader.append([1, 2])
        #expect(reader.take(3) == nil)
        reader.append([3] + frame([9]))
        #expect(reader.take(3) == [1, 2, 3])
        #expect(try reader.next(exactly: 1) == [9])
        #expect(reader.take(-1) == nil)
    }

    @Test func `a payload beyond the length field is our own bug`() async {
        await #expect(processExitsWith: .failure) {
            _ = frame([UInt8](repeating: 0, count: Limits.frameBytes + 1))
        }
    }
}
