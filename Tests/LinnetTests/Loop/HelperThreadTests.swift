import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HelperThreadTests {
    @Test func `a body runs once on a thread of its own`() async {
        let threads = Collector<UInt>()
        #expect(HelperThread.start { threads.add(HelperThread.current()) })
        #expect(HelperThread.start { threads.add(HelperThread.current()) })
        #expect(await threads.wait(count: 2).count == 2)
    }
}
