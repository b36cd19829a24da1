/// The number of times that rows were written, and the moments that somebody still reads, for whose
/// sake a fold waits.
///
/// It is a class, so that calls that only read a replica can use it.
final class RowWatch {
    /// The number of times that rows were written or taken away.
    private(set) var changes: UInt64 = 0
    /// The number of moments that somebody holds.
    fileprivate(set) var moments = 0

    /// Notes that rows are written or taken away.
    func noteChange() { changes += 1 }
}

/// The records as they stood between two calls, for a reading that takes several.
///
/// It keeps the records that differed from their rows; all others are as their rows are, for as
/// long as no row is written. A fold waits for whoever holds a moment, unless memory runs short or
/// much is left to replay.
package final class RecordMoment {
    private let watch: RowWatch
    private let changes: UInt64
    fileprivate let overlay: Overlay

    fileprivate init(_ book: RecordBook) {
        watch = book.watch
        changes = book.watch.changes
        overlay = book.overlay.changedAlone()
        watch.moments += 1
    }

    deinit { watch.moments -= 1 }

    /// Returns true while the rows of these records are as they were.
    fileprivate func isHeld(by book: RecordBook) -> Bool {
        book.watch === watch && watch.changes == changes
    }
}

extension Replica {
    /// The records as they stand now, for a reading that takes several calls.
    package var moment: RecordMoment { RecordMoment(recordBook) }

    /// Returns the records as they stood at a moment, for one step of a call; nil once a row was
    /// written since.
    package func reader(at moment: RecordMoment) -> RecordReader? {
        guard moment.isHeld(by: recordBook) else { return nil }
        return RecordReader(overlay: moment.overlay, rows: recordBook.rows(log))
    }
}
