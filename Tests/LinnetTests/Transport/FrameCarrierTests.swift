import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FrameCarrierTests {
    @Test func `bytes arrive in order in frames of at most 64 KiB`() async {
        let (near, far) = FrameCarrier.pair()
        let frames = Collector<[UInt8]>()
        let sent = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        near.send(Array(sent.prefix(1000)))
        far.start { event in
            if case .received(let bytes) = event { frames.add(bytes) }
        }
        near.send(Array(sent.dropFirst(1000)))
        let received = await frames.wait { $0.map(\.count).reduce(0, +) >= sent.count }
        #expect(received.flatMap { $0 } == sent)
        #expect(received.allSatisfy { $0.count <= FrameCarrier.frameByteLimit })
    }

    @Test func `the end comes after everything that was sent`() async {
        let (near, far) = FrameCarrier.pair()
        near.send([1, 2, 3])
        near.closeAfterFlush()
        near.send([4])
        let events = Collector<[UInt8]?>()
        far.start { event in
            switch event {
            case .received(let bytes): events.add(bytes)
            case .ended: events.add(nil)
            }
        }
        #expect(await events.wait(count: 2) == [[1, 2, 3], nil])
    }

    @Test func `an aborted end hears nothing more`() {
        let (near, far) = FrameCarrier.pair()
        let events = Collector<Int>()
        near.start { _ in events.add(1) }
        near.abort()
        far.send([1])
        far.abort()
        #expect(events.elements.isEmpty)
    }
}
