import Synchronization

@testable import LinnetReplication

/// The reports to somebody who waits for many records.
final class ReadWords: Sendable {
    struct Word: Equatable {
        let read: Int
        let total: Int
        let found: Int
    }

    private let said = Mutex<[Word]>([])

    /// The reports so far.
    var all: [Word] { said.withLock(\.self) }

    /// Takes a report.
    var telling: ReadTelling {
        { [self] read, total, found in
            said.withLock { $0.append(Word(read: read, total: total, found: found)) }
        }
    }
}
