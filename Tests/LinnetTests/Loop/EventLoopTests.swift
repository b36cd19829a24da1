import Glibc
import Linnet
import Testing

private actor Counter {
    private nonisolated let loop: EventLoop
    private(set) var count = 0
    private(set) var strayed = 0

    init(_ loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    func increment() {
        count += 1
        if !loop.isCurrent { strayed += 1 }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct EventLoopTests {
    private let loop: EventLoop

    init() throws {
        loop = try #require(EventLoop())
    }

    @Test func `an actor's jobs all run on the loop's thread`() async {
        let counter = Counter(loop)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { await counter.increment() } }
        }
        #expect(await counter.count == 200)
        #expect(await counter.strayed == 0)
        loop.stop()
    }

    @Test func `a callback on the loop may assume the actor's isolation`() async {
        let counter = Counter(loop)
        await loop.run { counter.assumeIsolated { $0.increment() } }
        #expect(await counter.count == 1)
        loop.stop()
    }

    @Test func `calls posted from one thread run in their order`() async {
        let order = Collector<Int>()
        for number in 0..<500 { loop.post { order.add(number) } }
        #expect(await order.wait(count: 500) == Array(0..<500))
        loop.stop()
    }

    @Test func `timers fire in the order of their deadlines`() async {
        let fired = Collector<Int>()
        await loop.run { [loop] in
            let now = SystemClock.uptimeMilliseconds()
            for delay in [30, 10, 20, 0] {
                _ = loop.schedule(at: now + Int64(delay)) { fired.add(delay) }
            }
        }
        #expect(await fired.wait(count: 4) == [0, 10, 20, 30])
        loop.stop()
    }

    @Test func `a cancelled timer never fires`() async {
        let fired = Collector<Int>()
        await loop.run { [loop] in
            let now = SystemClock.uptimeMilliseconds()
            let cancelled = loop.schedule(at: now + 5) { fired.add(1) }
            _ = loop.schedule(at: now + 10) { fired.add(2) }
            loop.cancel(cancelled)
        }
        #expect(await fired.wait(count: 1) == [2])
        loop.stop()
    }

    @Test func `a descriptor is reported when it becomes readable`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let seen = Collector<Readiness>()
        await loop.run { [loop] in
            loop.watch(reading, for: .read) { readiness in
                loop.unwatch(reading)
                seen.add(readiness)
            }
        }
        var byte: UInt8 = 7
        #expect(unsafe write(writing, &byte, 1) == 1)
        let readiness = await seen.wait(count: 1)
        #expect(readiness.first?.contains(.read) == true)
        close(reading)
        close(writing)
        loop.stop()
    }

    @Test func `a handler that removes another watch silences it at once`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let second = dup(reading)
        let seen = Collector<Int32>()
        await loop.run { [loop] in
            for descriptor in [reading, second] {
                loop.watch(descriptor, for: .read) { _ in
                    loop.unwatch(reading)
                    loop.unwatch(second)
                    seen.add(descriptor)
                }
            }
        }
        var byte: UInt8 = 7
        #expect(unsafe write(writing, &byte, 1) == 1)
        _ = await seen.wait(count: 1)
        // A second round of the loop would show a second report.
        await loop.run {}
        await loop.run {}
        #expect(seen.elements.count == 1)
        [reading, writing, second].forEach { close($0) }
        loop.stop()
    }

    @Test func `a stopped loop runs what was posted before`() async {
        let ran = Collector<Int>()
        for number in 0..<10 { loop.post { ran.add(number) } }
        loop.stop()
        #expect(await ran.wait(count: 10).count == 10)
    }

    @Test func `touching descriptors from another thread is our bug and traps`() async {
        await #expect(processExitsWith: .failure) {
            EventLoop()?.unwatch(0)
        }
    }
}
