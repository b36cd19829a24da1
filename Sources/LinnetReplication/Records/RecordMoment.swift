package import LinnetCRDT
import LinnetStorage

/// The moments that somebody still reads, and the number of times that rows changed in a way in
/// which none of them outlasts it.
///
/// It is a class, so that calls that only read a replica can use it.
final class RowWatch {
    /// The number of times that rows were taken away, or made of another schema.
    private(set) var changes: UInt64 = 0
    private var moments: [KeptRecords] = []

    /// True while somebody holds a moment.
    var isHeld: Bool { !moments.isEmpty }

    /// Notes that rows are taken away, or that they mean something else from now on.
    func noteChange() { changes += 1 }

    /// Keeps a record, whose row is about to be written, for those who have yet to read it.
    ///
    /// - Parameter isNew: true when the record has no row yet.
    func keepRow(of key: RecordKey, isNew: Bool, _ rows: RecordRows) throws(StorageError) {
        let readers = moments.filter { $0.wants(key) }
        guard !readers.isEmpty else { return }
        let wasDue = rows.mender.isDue
        let row = isNew ? nil : try rows.record(key)
        // The log tells what a damaged row should hold by now.
        guard wasDue || !rows.mender.isDue else { return noteChange() }
        let state = row?.state ?? RecordState(collection: key.collection, record: key.record)
        for reader in readers { reader.keep(state) }
    }

    fileprivate func enter(_ moment: KeptRecords) { moments.append(moment) }

    fileprivate func leave(_ moment: KeptRecords) { moments.removeAll { $0 === moment } }
}

/// The records that a reading may yet look at.
package enum RecordSpan: Equatable, Sendable {
    /// Any record.
    case all
    /// The records of a collection that follow one; nil stands for all of them.
    case rest(of: UInt32, after: RecordID?)
    /// No record, since all was read.
    case none

    fileprivate func contains(_ key: RecordKey) -> Bool {
        switch self {
        case .all: true
        case .rest(let collection, let last):
            key.collection == collection && last.map { $0 < key.record } ?? true
        case .none: false
        }
    }
}

/// The records of a moment that their rows do not tell, or not any more.
private final class KeptRecords {
    /// The records that differed from their rows; none for a walk, which has its own of them.
    let overlay: Overlay
    /// Those whose rows have been written since, as these were.
    private(set) var written: Overlay
    var span: RecordSpan
    private let limit: Int
    /// True once more rows were written than are kept.
    private(set) var isFull = false

    init(_ book: RecordBook, _ span: RecordSpan, limit: Int) {
        overlay = span == .all ? book.overlay.changedAlone() : book.overlay.emptied
        written = book.overlay.emptied
        (self.span, self.limit) = (span, limit)
    }

    func wants(_ key: RecordKey) -> Bool {
        !isFull && span.contains(key) && written.held(key) == nil
            && overlay.held(key)?.isWhole != true
    }

    func keep(_ state: RecordState) {
        written.keep(rowOf: state)
        guard written.cleanWeight > limit else { return }
        isFull = true
        written.removeAll()
    }
}

/// The records as they stood between two calls, for a reading that takes several.
///
/// It keeps the records that differed from their rows, and those whose rows are written meanwhile
/// and that the reading has yet to look at; all others are as their rows are. A fold waits for
/// whoever holds a moment, unless memory runs short or much is left to replay.
package final class RecordMoment {
    private let watch: RowWatch
    private let changes: UInt64
    private let kept: KeptRecords

    fileprivate init(_ book: RecordBook, _ span: RecordSpan, limit: Int) {
        watch = book.watch
        changes = book.watch.changes
        kept = KeptRecords(book, span, limit: limit)
        watch.enter(kept)
    }

    deinit { watch.leave(kept) }

    /// Returns true while these records can be read.
    fileprivate func isHeld(by book: RecordBook) -> Bool {
        book.watch === watch && watch.changes == changes && !kept.isFull
    }

    fileprivate func reader(_ rows: RecordRows) -> RecordReader {
        RecordReader(overlay: kept.overlay, rows: rows, written: kept.written)
    }

    /// Keeps no more records from now on than those.
    fileprivate func narrow(to span: RecordSpan) { kept.span = span }
}

extension Replica {
    /// Returns the records as they stand now, for a reading that takes several calls.
    ///
    /// - Parameters:
    ///   - span: the records that the reading may yet look at.
    ///   - bytes: the memory, approximately, that records take at most whose rows are written
    ///     meanwhile; nil stands for as much as changed records take. The moment is lost when there
    ///     are more.
    package func moment(for span: RecordSpan = .all, keeping bytes: Int? = nil) -> RecordMoment {
        RecordMoment(recordBook, span, limit: bytes ?? recordBook.policy.dirtyBytes)
    }

    /// Goes on with a reading that began at a moment; true when all was read, nil once that moment
    /// is lost.
    package func goOn<Reading: SlicedReading>(
        _ reading: inout Reading, at moment: RecordMoment, _ slice: ReadingSlice = .usual
    ) throws(ReplicaError) -> Bool? {
        guard moment.isHeld(by: recordBook) else { return nil }
        let reader = moment.reader(recordBook.rows(log))
        let isDone = try reading.goOn(reader, slice)
        moment.narrow(to: isDone ? .none : reading.rest)
        return isDone
    }
}
