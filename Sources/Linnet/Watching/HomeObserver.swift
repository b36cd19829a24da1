import LinnetCRDT
import LinnetControl
public import LinnetReplication

/// Reads and observes a home that this process does not hold open: through the node of another
/// process while there is one, else by opening the home for a moment whenever its files change.
///
/// A node may start, stop and make room for another one meanwhile. A slow reader gets fewer states,
/// and always the latest one: nothing is read before the reader asks for it.
public struct HomeObserver: Sendable {
    private let path: String
    private let passphrase: Passphrase?

    /// Names a home.
    ///
    /// - Parameters:
    ///   - path: the path of its directory.
    ///   - passphrase: the passphrase of its key file, for when no node has it open.
    public init(_ path: String, passphrase: Passphrase? = nil) {
        self.path = path
        self.passphrase = passphrase
    }

    /// Observes a record: as it is, and whenever it looks different; nil while there is none.
    public func observe(
        _ collection: String, _ id: String
    ) throws(LinnetError) -> HomeObservation<Record?> {
        guard let record = RecordID(id) else { throw .badRecordID(id) }
        return try observation { (gateway) throws(ControlFailure) in
            let declared = try await gateway.collection(collection)
            let key = RecordKey(collection: declared.id, record: record)
            return try await gateway.ask(RecordRequest(key)).first.map { Record($0, of: declared) }
        }
    }

    /// Observes the records that a query finds: now, and whenever they look different.
    public func observe(_ query: Query) throws(LinnetError) -> HomeObservation<[Record]> {
        try observation { (gateway) throws(ControlFailure) in
            let declared = try await gateway.collection(query.collection)
            return try await gateway.ask(PageRequest(query)).records.map {
                Record($0, of: declared)
            }
        }
    }

    /// Observes the number of records that a query finds: now, and whenever it changes.
    public func observeCount(_ query: Query) throws(LinnetError) -> HomeObservation<Int> {
        try observation { (gateway) throws(ControlFailure) in
            Int(clamping: try await gateway.ask(CountRequest(query)))
        }
    }

    private func observation<Element>(
        _ read: @escaping @Sendable (Gateway) async throws(ControlFailure) -> Element
    ) throws(LinnetError) -> HomeObservation<Element> {
        guard let feed = HomeFeed(path) else { throw .noResources }
        let (path, passphrase) = (path, passphrase)
        return HomeObservation(feed) { () async throws(ControlFailure) in
            let gateway = try await Gateway.open(path) { (tries) throws(ControlFailure) in
                guard let passphrase, tries == 0 else {
                    throw ControlFailure(
                        tries == 0 ? .passphraseNeeded : LinnetError.wrongPassphrase)
                }
                return passphrase
            }
            do throws(ControlFailure) {
                let element = try await read(gateway)
                await gateway.close()
                return element
            } catch {
                await gateway.close()
                throw error
            }
        }
    }
}

/// The states that a ``HomeObserver`` sees, first as it is and then whenever it is different. It
/// ends with the task that reads it.
public struct HomeObservation<Element: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The error that the sequence throws when the home cannot be read.
    public typealias Failure = LinnetError

    private let feed: HomeFeed
    private let read: @Sendable () async throws(ControlFailure) -> Element

    init(
        _ feed: HomeFeed, _ read: @escaping @Sendable () async throws(ControlFailure) -> Element
    ) {
        self.feed = feed
        self.read = read
    }

    /// Starts reading; a second reader takes news away from the first.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed, read: read) }

    /// Reads one state after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private static var retryMilliseconds: Int { 200 }

        let feed: HomeFeed
        let read: @Sendable () async throws(ControlFailure) -> Element
        private var last: Element?

        init(
            feed: HomeFeed, read: @escaping @Sendable () async throws(ControlFailure) -> Element
        ) {
            self.feed = feed
            self.read = read
        }

        /// Returns the present state the first time, later the next one that differs; nil once the
        /// task is cancelled.
        public mutating func next() async throws(LinnetError) -> Element? {
            while await feed.next() != nil {
                guard let state = try await state() else { return nil }
                guard state != last else { continue }
                last = state
                return state
            }
            return nil
        }

        /// Returns the present state from the process that has the home, or from the home itself;
        /// nil once the task is cancelled.
        private func state() async throws(LinnetError) -> Element? {
            while !Task.isCancelled {
                do throws(ControlFailure) {
                    return try await read()
                } catch {
                    // The node has just ended, or is about to begin.
                    guard error.isPassing else {
                        throw error.cause as? LinnetError ?? .unexpected(error.message)
                    }
                    try? await Task.sleep(for: .milliseconds(Self.retryMilliseconds))
                }
            }
            return nil
        }
    }
}

extension ControlFailure {
    /// True when the home is only in the hands of a process that does not answer yet, or no longer.
    fileprivate var isPassing: Bool {
        if case .home(.locked)? = cause as? LinnetError { return true }
        return kind == .unreachable
    }
}

extension Gateway {
    /// A collection that the home declares.
    fileprivate func collection(_ name: String) async throws(ControlFailure) -> Collection {
        let schema = try await schemaFile().schema
        do throws(SchemaError) {
            return try schema.collection(named: name)
        } catch {
            throw ControlFailure(.schema(error))
        }
    }
}
