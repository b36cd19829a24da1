import CSQLite
import Linnet
import LinnetAPI
import LinnetControl

/// Notes of about 220 bytes, the same for a number everywhere, and bare SQLite with all of them in
/// plain columns and in FTS5, which show every word to whoever has the file.
@safe
final class BenchNotes {
    static let collection = Collection(
        id: 2_000, name: "note", scope: "notes",
        fields: [
            Field(id: 1, name: "body", type: .text), Field(id: 2, name: "size", type: .int),
            Field(id: 3, name: "kind", type: .text),
            Field(id: 4, name: "rank", type: .int, index: .clear),
        ])
    /// A rare word, without its accents, stands in each of so many records.
    static let (rareWord, rareStep) = ("nunez", 1_000)

    private static let syllables = [
        "to", "ka", "mí", "re", "sen", "lu", "pär", "go", "vi", "che", "nor", "ta", "öl", "ba",
        "wen", "qui",
    ]

    private var database: OpaquePointer?

    /// Makes the bare database.
    init(at path: String, records: Int) throws {
        guard unsafe sqlite3_open(path, &database) == SQLITE_OK else {
            throw ControlFailure.failed("the bare database did not open")
        }
        _ = try ask(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
            CREATE TABLE notes (
                id INTEGER PRIMARY KEY, body TEXT, size INTEGER, kind TEXT, rank INTEGER);
            CREATE INDEX ranks ON notes (rank);
            CREATE VIRTUAL TABLE words USING fts5(
                body, content='', tokenize="unicode61 remove_diacritics 2");
            BEGIN
            """)
        for number in 0..<records {
            _ = try ask(
                """
                INSERT INTO notes VALUES (\(number), '\(Self.text(number))', \(Self.size(number)),
                    '\(Self.kind(number))', \(number))
                """)
        }
        _ = try ask("COMMIT")
    }

    deinit { unsafe sqlite3_close(database) }

    /// Fills FTS5.
    func fillWords() throws {
        _ = try ask("BEGIN; INSERT INTO words (rowid, body) SELECT id, body FROM notes; COMMIT")
    }

    /// Runs SQL; returns the whole numbers of all rows that it answers with.
    func ask(_ sql: String) throws -> [Int64] {
        var numbers: [Int64] = []
        let code = unsafe withUnsafeMutablePointer(to: &numbers) { place in
            unsafe sqlite3_exec(
                database, sql,
                { place, count, texts, _ in
                    guard let texts = unsafe texts else { return 0 }
                    let numbers = unsafe place?.assumingMemoryBound(to: [Int64].self)
                    for column in 0..<Int(count) {
                        guard let text = unsafe texts[column] else { continue }
                        if let number = Int64(unsafe String(cString: text)) {
                            unsafe numbers?.pointee.append(number)
                        }
                    }
                    return 0
                }, place, nil)
        }
        guard code == SQLITE_OK else {
            throw ControlFailure.failed("the bare database refused: \(sql.prefix(60))")
        }
        return numbers
    }

    /// Makes a node with the same notes.
    static func node(at path: String, records: Int) async throws -> Node {
        let node = try await Node.create(
            at: path, name: "Search", kind: .laptop,
            schema: try Schema(version: 1, collections: [collection]))
        try await fill(node, records: records)
        return node
    }

    /// Writes the notes.
    static func fill(_ node: Node, records: Int) async throws {
        for start in stride(from: 0, to: records, by: 5_000) {
            var transaction = Transaction()
            for number in start..<min(start + 5_000, records) {
                transaction.set(
                    "note", "note-\(number)",
                    [
                        "body": .text(text(number)), "size": .int(size(number)),
                        "kind": .text(kind(number)), "rank": .int(Int64(number)),
                    ])
            }
            try await node.commit(transaction, durability: .relaxed)
        }
    }

    private static func size(_ number: Int) -> Int64 { Int64(number % 1_000) }

    private static func kind(_ number: Int) -> String { syllables[number % 7] }

    private static func text(_ number: Int) -> String {
        var words: [String] = []
        var state = UInt64(number) &* 0x9e37_79b9_7f4a_7c15 | 1
        for _ in 0..<32 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words.append(syllables[Int(state >> 60)] + syllables[Int(state >> 52 & 15)])
        }
        if number % rareStep == 0 { words[7] = "Núñez" }
        return words.joined(separator: " ")
    }
}
