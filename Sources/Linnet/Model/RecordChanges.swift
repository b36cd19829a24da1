import Synchronization

/// The records of a collection that changed, each told once however often it changed meanwhile.
///
/// A slow reader gets fewer elements, never an older state: read the record when its place comes.
public struct RecordChanges: AsyncSequence, Sendable {
    /// A record that looks different now.
    public typealias Element = RecordPlace

    private let feed: ChangeFeed

    init(_ feed: ChangeFeed) { self.feed = feed }

    /// Starts reading; a second reader takes elements away from the first.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

    /// Reads one element after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: ChangeFeed

        /// Returns the next changed record; nil after the node has stopped.
        public mutating func next() async -> RecordPlace? {
            var signals = feed.signals.makeAsyncIterator()
            while true {
                if let place = feed.take() { return place }
                if await signals.next() == nil { return feed.take() }
            }
        }

        /// Returns all records that changed since the last call, once there are some; nil after the
        /// node has stopped.
        package mutating func nextAll() async -> [RecordPlace]? {
            var signals = feed.signals.makeAsyncIterator()
            while true {
                let places = feed.takeAll()
                if !places.isEmpty { return places }
                if await signals.next() == nil { return nil }
            }
        }
    }
}

/// The changes that wait for one reader.
final class ChangeFeed: Sendable {
    private struct Waiting {
        var order: [RecordPlace] = []
        var known: Set<RecordPlace> = []
    }

    /// The collections that are watched; nil stands for all.
    private let collections: Set<String>?
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Mutex(Waiting())

    init(collections: Set<String>?) {
        self.collections = collections
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ places: [RecordPlace]) {
        let own = places.filter { collections?.contains($0.collection) ?? true }
        guard !own.isEmpty else { return }
        waiting.withLock { waiting in
            for place in own where waiting.known.insert(place).inserted {
                waiting.order.append(place)
            }
        }
        signal.yield()
    }

    func take() -> RecordPlace? {
        waiting.withLock { waiting in
            guard !waiting.order.isEmpty else { return nil }
            let place = waiting.order.removeFirst()
            waiting.known.remove(place)
            return place
        }
    }

    /// Takes out everything that waits, in the order of the first change.
    @discardableResult
    func takeAll() -> [RecordPlace] {
        waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.order
        }
    }

    func finish() { signal.finish() }
}
