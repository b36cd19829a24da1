/// Something that is read of a node, first as it is and then whenever it is different.
///
/// A slow reader gets fewer elements, always with the latest state: the node keeps no more than
/// that something changed. The sequence ends when the node stops.
public struct Observation<Element: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The error that the sequence throws when it cannot be read.
    public typealias Failure = LinnetError

    private let feed: ChangeFeed
    private let read: @Sendable () async throws(LinnetError) -> Element

    init(_ feed: ChangeFeed, _ read: @escaping @Sendable () async throws(LinnetError) -> Element) {
        self.feed = feed
        self.read = read
    }

    /// Starts reading; a second reader takes changes away from the first.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed, read: read) }

    /// Reads one state after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: ChangeFeed
        let read: @Sendable () async throws(LinnetError) -> Element
        private var last: Element?

        init(
            feed: ChangeFeed, read: @escaping @Sendable () async throws(LinnetError) -> Element
        ) {
            self.feed = feed
            self.read = read
        }

        /// Returns the present state the first time, later the next one that differs; nil once the
        /// node has stopped.
        public mutating func next() async throws(LinnetError) -> Element? {
            do throws(LinnetError) {
                return try await nextState()
            } catch {
                if error == .stopped { return nil }
                throw error
            }
        }

        private mutating func nextState() async throws(LinnetError) -> Element? {
            var signals = feed.signals.makeAsyncIterator()
            while true {
                if let last {
                    guard await signals.next() != nil else { return nil }
                    feed.takeAll()
                    let state = try await read()
                    guard state != last else { continue }
                    self.last = state
                    return state
                }
                let state = try await read()
                last = state
                return state
            }
        }
    }
}
