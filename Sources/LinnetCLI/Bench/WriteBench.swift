import CSQLite
import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication

/// Measures durable and relaxed local writes per second, one transaction each, beside a bare SQLite
/// loop with the same settings and about as many bytes.
enum WriteBench {
    static func run(in directory: String, count: Int) async throws -> Figures {
        let bare = try bareWrites(path: directory + "/bare.sqlite", count: count)
        let node = try await Node.create(
            at: directory + "/writes", name: "Writes", kind: .laptop, schema: .demonstration)
        let durable = try await nodeWrites(node, count: count, durability: .durable)
        let relaxed = try await nodeWrites(node, count: count, durability: .relaxed)
        await node.stop()
        var figures = Figures(name: "writes")
        figures.add("perSecond", durable)
        figures.add("relaxedPerSecond", relaxed)
        figures.add("barePerSecond", bare)
        figures.add("ratio", durable / max(bare, 1))
        return figures
    }

    private static func nodeWrites(
        _ node: Node, count: Int, durability: WriteDurability
    ) async throws -> Double {
        let start = ContinuousClock.now
        for number in 0..<count {
            try await node.set(
                "medication", "record-\(number % 50)", ["name": .text("value \(number)")],
                durability: durability)
        }
        return Double(count) / max((ContinuousClock.now - start).microseconds / 1e6, 1e-9)
    }

    private static func bareWrites(path: String, count: Int) throws -> Double {
        var database: OpaquePointer?
        guard unsafe sqlite3_open(path, &database) == SQLITE_OK else {
            throw ControlFailure.failed("the bare database did not open")
        }
        defer { unsafe sqlite3_close(database) }
        let setup = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE log (id INTEGER PRIMARY KEY, bytes BLOB);
            CREATE TABLE rows (id INTEGER PRIMARY KEY, bytes BLOB)
            """
        guard unsafe sqlite3_exec(database, setup, nil, nil, nil) == SQLITE_OK else {
            throw ControlFailure.failed("the bare database was not set up")
        }
        let start = ContinuousClock.now
        for number in 0..<count {
            let write = """
                BEGIN IMMEDIATE; INSERT INTO log VALUES (NULL, randomblob(400));
                INSERT OR REPLACE INTO rows VALUES (\(number % 50), randomblob(200)); COMMIT
                """
            guard unsafe sqlite3_exec(database, write, nil, nil, nil) == SQLITE_OK else {
                throw ControlFailure.failed("a bare write failed")
            }
        }
        return Double(count) / max((ContinuousClock.now - start).microseconds / 1e6, 1e-9)
    }
}
