internal import CSQLite

/// An error that the store reports; every case says what to do next in `description`.
package enum StorageError: Error, Equatable, Sendable {
    /// There is no file, or one without content, where a database was expected.
    case missing
    /// The file cannot be opened or created; `code` is SQLite's extended result code.
    case cannotOpen(code: Int32)
    /// The file is a database, or some other file, that Linnet did not make.
    case notOurs
    /// A newer release made the file: its format `found` is above the `supported` one.
    case fromTheFuture(found: Int, supported: Int)
    /// The database key is not the one that sealed this file.
    case wrongKey
    /// Another process holds the file.
    case busy
    /// The disk has no room; the transaction was rolled back.
    case diskFull
    /// The file or its directory cannot be written.
    case readOnly
    /// Something that was read fails its check; `where` names the table, or the part of the file.
    case corrupt(where: String)
    /// Tables or guards were changed by something other than Linnet.
    case writtenOutside
    /// A row is larger than the file may hold.
    case tooLarge
    /// The row exists already.
    case duplicate
    /// A number is outside what the file can hold: a chain from 2^23, a sequence from 2^40.
    case outOfRange
    /// Memory ran out.
    case outOfMemory
    /// Reading or writing failed; `code` is SQLite's extended result code.
    case io(code: Int32)

    /// Primary keys, unique columns and row numbers; Swift imports no composed macro.
    private static let duplicates = [6, 8, 10].map { SQLITE_CONSTRAINT | $0 << 8 }

    /// SQLite's extended result codes of failed writes, and of failed syncs.
    private static let writes = [3, 4, 5, 6].map { SQLITE_IOERR | $0 << 8 }

    /// True when the disk failed at a write or a sync: what it kept of it is not known.
    package var isFailedWrite: Bool {
        if case .io(let code) = self { Self.writes.contains(code) } else { false }
    }

    /// The problem that a SQLite result code stands for, met while working on `place`.
    init(code: Int32, place: String) {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_FULL: self = .diskFull
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        case SQLITE_CANTOPEN: self = .cannotOpen(code: code)
        case SQLITE_NOTADB: self = .notOurs
        case SQLITE_NOMEM: self = .outOfMemory
        case SQLITE_TOOBIG: self = .tooLarge
        case SQLITE_CONSTRAINT where Self.duplicates.contains(code): self = .duplicate
        // All statements are constant, so a statement that fails means a schema that is not ours.
        case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_MISMATCH: self = .corrupt(where: place)
        default: self = .io(code: code)
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// The problem and what to do next, in one or two sentences for a person.
    package var description: String {
        switch self {
        case .missing:
            "The database is missing or empty. Put it back, or restore a backup."
        case .cannotOpen(let code):
            "The database cannot be opened (SQLite \(code)). "
                + "Check that its directory exists and belongs to you."
        case .notOurs:
            "The file is not a Linnet database. Choose another home."
        case .fromTheFuture(let found, let supported):
            "The database has format \(found) and this release reads up to \(supported). "
                + "Upgrade Linnet on this device."
        case .wrongKey:
            "The key file does not belong to this database. "
                + "Put back the key file that was made with it."
        case .busy:
            "Another process has the database open. Stop it, or send the command through it."
        case .diskFull:
            "The disk is full; nothing was changed. Free some space and try again."
        case .readOnly:
            "The database cannot be written. Check the permissions of its directory."
        case .corrupt(let place):
            "The database is damaged (\(place)). "
                + "Move it away; this device can join again and fetch everything from the others."
        case .writtenOutside:
            "Another program changed the tables of the database. "
                + "Move it away; this device can join again and fetch everything from the others."
        case .tooLarge:
            "A row is too large for the database; nothing was changed."
        case .duplicate:
            "The row exists already; nothing was changed."
        case .outOfRange:
            "A number is too large for the database; nothing was changed."
        case .outOfMemory:
            "Memory ran out; nothing was changed. Close other programs and try again."
        case .io(let code):
            "Reading or writing the database failed (SQLite \(code)). "
                + "Check the disk, then start again."
        }
    }
}
