/// The streams and feeds that read the node's events and changes.
struct Observers {
    private struct Weak {
        weak var feed: ChangeFeed?
    }

    private var streams: [Int: AsyncStream<NodeEvent>.Continuation] = [:]
    private var feeds: [Weak] = []
    private var lastStream = 0
    /// The number of times that records came to look different, which tells a reader that takes
    /// several calls whether it saw one state.
    private(set) var changeCount: UInt64 = 0

    mutating func noteChange() { changeCount += 1 }

    mutating func add(_ continuation: AsyncStream<NodeEvent>.Continuation) -> Int {
        lastStream += 1
        streams[lastStream] = continuation
        return lastStream
    }

    mutating func add(_ feed: ChangeFeed) {
        feeds.removeAll { $0.feed == nil }
        feeds.append(Weak(feed: feed))
    }

    mutating func remove(_ stream: Int) { streams[stream] = nil }

    /// Sends an event; nothing is looked up for one that nobody reads.
    func send(_ event: @autoclosure () -> NodeEvent) {
        guard !streams.isEmpty || !feeds.isEmpty else { return }
        let event = event()
        for stream in streams.values { stream.yield(event) }
        guard case .recordsChanged(let places) = event else { return }
        for weak in feeds { weak.feed?.add(places) }
    }

    mutating func finish(_ last: NodeEvent) {
        send(last)
        for stream in streams.values { stream.finish() }
        for weak in feeds { weak.feed?.finish() }
        streams = [:]
        feeds = []
    }
}

extension Node {
    /// The number of events by which a slow reader may fall behind; the oldest are dropped first.
    static let eventBuffer = 1024

    /// Returns the events from now on.
    ///
    /// A reader that falls more than 1,024 events behind loses the oldest of them; no state is lost
    /// with them, because records, status and digest can be read at any time.
    public func events() -> AsyncStream<NodeEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NodeEvent.self, bufferingPolicy: .bufferingNewest(Self.eventBuffer))
        guard replica != nil || isLocked else {
            continuation.finish()
            return stream
        }
        let number = observers.add(continuation)
        continuation.onTermination = { [weak self, loop] _ in
            loop.post { self?.assumeIsolated { $0.observers.remove(number) } }
        }
        return stream
    }

    /// Returns the records of a collection that change from now on, by this device or another.
    public func changes(in collection: String) throws(LinnetError) -> RecordChanges {
        _ = try self.collection(named: collection)
        return RecordChanges(try feed(of: [collection]))
    }

    /// Returns the records of every collection that change from now on.
    package func changesEverywhere() throws(LinnetError) -> RecordChanges {
        RecordChanges(try feed(of: Optional<Set<String>>.none))
    }
}
