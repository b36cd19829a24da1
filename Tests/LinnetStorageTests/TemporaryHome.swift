import CSQLite
import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

/// A folder of its own with one database in it, removed at the end.
final class TemporaryHome {
    let folder: URL
    let path: String
    private var openings: UInt8 = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "linnet-storage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "store.sqlite").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the database, with a fresh nonce prefix each time.
    func open(
        key: UInt8 = 1, vfs: String? = nil, migrations: [Migration] = StoreSchema.migrations
    ) throws(StorageError) -> SQLiteStore {
        openings += 1
        return try SQLiteStore(
            path: path, databaseKey: SecretBytes(copying: Array(repeating: key, count: 32)),
            noncePrefix: Array(repeating: openings, count: 16), vfs: vfs, migrations: migrations)
    }

    /// What opening fails with, nil when it does not.
    func refusal(
        key: UInt8 = 1, vfs: String? = nil, migrations: [Migration] = StoreSchema.migrations
    ) -> StorageError? {
        do throws(StorageError) {
            try open(key: key, vfs: vfs, migrations: migrations).close()
            return nil
        } catch {
            return error
        }
    }

    /// All bytes of the database and of what lies beside it.
    func bytes() throws -> [UInt8] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .flatMap { [UInt8](try Data(contentsOf: $0)) }
    }

    /// Opens the database as any other program would.
    func stranger() throws -> Stranger { try Stranger(path) }
}

/// Another program with the SQLite library.
@safe
final class Stranger {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open(path, &opened)
        guard let connection = unsafe opened, code == SQLITE_OK else {
            throw StorageError.cannotOpen(code: code)
        }
        unsafe handle = unsafe connection
    }

    deinit { unsafe sqlite3_close(handle) }

    /// What running the SQL complains about, nil when it runs.
    func complaint(_ sql: String) -> String? {
        var message: UnsafeMutablePointer<CChar>?
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, &message)
        defer { unsafe sqlite3_free(message) }
        guard code != SQLITE_OK else { return nil }
        return unsafe message.map { unsafe String(cString: $0) } ?? "\(code)"
    }

    /// Runs SQL that must work.
    func run(_ sql: String) throws {
        if let complaint = complaint(sql) { throw Complaint(text: complaint) }
    }

    /// The first column of every row, as text.
    func column(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Complaint(text: unsafe String(cString: sqlite3_errmsg(handle)))
        }
        defer { unsafe sqlite3_finalize(statement) }
        var found: [String] = []
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            let text = unsafe sqlite3_column_text(statement, 0)
            found.append(unsafe text.map { unsafe String(cString: $0) } ?? "")
        }
        return found
    }

    struct Complaint: Error {
        let text: String
    }
}

/// What a body fails with, nil when it does not.
func failure(_ body: () throws(StorageError) -> Void) -> StorageError? {
    do throws(StorageError) {
        try body()
        return nil
    } catch {
        return error
    }
}

extension Bytes16 {
    static func filled(_ byte: UInt8) -> Bytes16 { Bytes16(repeating: byte) }
}

extension BatchRow {
    /// A batch whose bytes follow from its place.
    static func sample(_ chain: Int64, _ seq: UInt64, size: Int = 40) -> BatchRow {
        let byte = UInt8(truncatingIfNeeded: seq)
        return BatchRow(
            chain: chain, seq: seq, id: BatchID(repeating: byte),
            prev: BatchID(repeating: byte &- 1), epoch: EpochID(repeating: 9),
            nonce: Array(repeating: byte, count: 24),
            ciphertext: Array(repeating: byte, count: size),
            signature: Array(repeating: byte, count: 64))
    }
}

extension PendingRow {
    /// A batch that waits, told apart by its number.
    static func sample(_ number: UInt8, seq: UInt64 = 5, scope: UInt8 = 1) -> PendingRow {
        PendingRow(
            id: BatchID(repeating: number), scope: ScopeID(repeating: scope),
            device: DeviceID(repeating: 2), incarnation: Incarnation(repeating: 3), seq: seq,
            header: [1, 2], ciphertext: [3, 4, 5], signature: Array(repeating: 6, count: 64))
    }
}

extension NewChain {
    /// An empty chain, told apart by its number.
    static func sample(_ number: UInt8) -> NewChain {
        NewChain(
            scope: ScopeID(repeating: 1), chain: AuthorID(repeating: number),
            device: DeviceID(repeating: number), incarnation: Incarnation(repeating: number))
    }
}

extension RecordState {
    /// A live record with one text field.
    static func sample(
        _ id: String, collection: UInt32 = 7, field: UInt32 = 1, text: String = "aspirin"
    ) throws -> RecordState {
        let record = try #require(RecordID(id))
        var payload = CBORWriter()
        payload.text(text)
        var state = RecordState(collection: collection, record: record)
        let outcome = state.apply(
            Operation(
                collection: collection, record: record, generation: 1, field: field,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0, payload: payload.bytes),
            stamp: Timestamp(wallMilliseconds: 1_000),
            at: Position(chain: AuthorID(repeating: 4), seq: 1, index: 0))
        #expect(outcome == .won)
        return state
    }
}

extension TemporaryHome {
    /// Opens a database at any path, for what it throws.
    static func refusal(path: String) throws {
        try SQLiteStore(
            path: path, databaseKey: SecretBytes(zeroed: 32),
            noncePrefix: Array(repeating: 0, count: 16)
        ).close()
    }

    /// Takes the guards away, runs the SQL and puts them back as they were.
    func tamper(_ sql: String) throws {
        let stranger = try Stranger(path)
        let guards = try stranger.column("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
        for name in try stranger.column("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
            try stranger.run("DROP TRIGGER \(name)")
        }
        try stranger.run(sql)
        for trigger in guards { try stranger.run(trigger) }
    }

    /// The names in the folder, sorted.
    func fileNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Copies the files of another home as they lie.
    func copyFiles(of other: TemporaryHome) throws {
        for name in try other.fileNames() {
            try FileManager.default.copyItem(
                at: other.folder.appending(path: name), to: folder.appending(path: name))
        }
    }
}
