import CSQLite
import Linnet
import LinnetAPI
import LinnetControl

/// Measures a search by words and a sum over many records, beside SQLite's FTS5 and its own sum
/// over the same texts in plain columns, which show every word to whoever has the file.
enum SearchBench {
    /// The number of times that each question is asked.
    private static let rounds = 7

    static func run(in directory: String, records: Int) async throws -> Figures {
        var figures = Figures(name: "search in \(records) records")
        try fullText(directory + "/fts.sqlite", records, &figures)
        let notes = Collection(
            id: 2_000, name: "note", scope: "notes",
            fields: [
                Field(id: 1, name: "body", type: .text), Field(id: 2, name: "size", type: .int),
            ])
        let node = try await Node.create(
            at: directory + "/search", name: "Search", kind: .laptop,
            schema: try Schema(version: 1, collections: [notes]))
        for start in stride(from: 0, to: records, by: 5_000) {
            var transaction = Transaction()
            for number in start..<min(start + 5_000, records) {
                transaction.set(
                    "note", "note-\(number)",
                    ["body": .text(text(number)), "size": .int(Int64(number % 1_000))])
            }
            try await node.commit(transaction, durability: .relaxed)
        }
        let body = FieldName("body")
        var times: [Double] = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            let found = try await node.count(Query("note", where: body.matches(rareWord)))
            times.append((ContinuousClock.now - start).microseconds / 1_000)
            guard found == (records - 1) / rareStep + 1 else {
                throw ControlFailure.failed("\(found) notes were found")
            }
        }
        figures.add("matches ms", Figures.percentile(0.5, of: times))
        times = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            _ = try await node.figures([.sum("size")], of: Query("note"))
            times.append((ContinuousClock.now - start).microseconds / 1_000)
        }
        figures.add("sum ms", Figures.percentile(0.5, of: times))
        try await writes(node, "no scan", &figures, beside: nil)
        try await writes(node, "a scan in one call", &figures) { node in
            _ = try await node.count(Query("note", where: body.matches(rareWord)))
        }
        try await writes(node, "a scan in slices", &figures) { node in
            for try await _ in try await node.scan(
                Query("note", where: body.matches(rareWord)))
            {}
        }
        await node.stop()
        return figures
    }

    /// Measures writes that are due every 10 ms, from the moment at which each is due, while
    /// something is read again and again.
    private static func writes(
        _ node: Node, _ name: String, _ figures: inout Figures,
        beside read: (@Sendable (Node) async throws -> Void)?
    ) async throws {
        let reading = Task {
            while let read, !Task.isCancelled {
                try await read(node)
                await Task.yield()
            }
        }
        let clock = ContinuousClock()
        let start = clock.now
        var delays: [Double] = []
        for number in 0..<300 {
            let due = start + .milliseconds(10 * number)
            if clock.now < due { try await Task.sleep(until: due, clock: clock) }
            try await node.set("note", "written-\(number % 20)", ["size": .int(Int64(number))])
            delays.append((clock.now - due).microseconds / 1_000)
        }
        reading.cancel()
        _ = await reading.result
        figures.add("writes beside \(name) p50 ms", Figures.percentile(0.5, of: delays))
        figures.add("writes beside \(name) p99 ms", Figures.percentile(0.99, of: delays))
    }

    /// A rare word, without its accents, stands in each of so many records.
    private static let (rareWord, rareStep) = ("nunez", 1_000)

    /// A note of about 220 bytes, the same for a number everywhere.
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

    private static let syllables = [
        "to", "ka", "mí", "re", "sen", "lu", "pär", "go", "vi", "che", "nor", "ta", "öl", "ba",
        "wen", "qui",
    ]

    private static func fullText(
        _ path: String, _ records: Int, _ figures: inout Figures
    ) throws {
        var database: OpaquePointer?
        guard unsafe sqlite3_open(path, &database) == SQLITE_OK else {
            throw ControlFailure.failed("the bare database did not open")
        }
        defer { unsafe sqlite3_close(database) }
        func execute(_ sql: String) throws -> Double {
            let start = ContinuousClock.now
            guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
                throw ControlFailure.failed("FTS5 failed: \(sql.prefix(60))")
            }
            return (ContinuousClock.now - start).microseconds / 1_000
        }
        _ = try execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
            CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, size INTEGER);
            CREATE VIRTUAL TABLE words USING fts5(
                body, content='', tokenize="unicode61 remove_diacritics 2")
            """)
        _ = try execute("BEGIN")
        for number in 0..<records {
            _ = try execute(
                "INSERT INTO notes VALUES (\(number), '\(text(number))', \(number % 1000))")
        }
        _ = try execute("COMMIT")
        figures.add(
            "FTS5 build ms",
            try execute("BEGIN; INSERT INTO words (rowid, body) SELECT id, body FROM notes; COMMIT")
        )
        var (word, scan, sum): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            word.append(try execute("SELECT count(*) FROM words WHERE words MATCH '\(rareWord)'"))
            scan.append(try execute("SELECT count(*) FROM notes WHERE body LIKE '%Núñez%'"))
            sum.append(try execute("SELECT sum(size) FROM notes"))
        }
        figures.add("FTS5 word ms", Figures.percentile(0.5, of: word))
        figures.add("SQLite LIKE ms", Figures.percentile(0.5, of: scan))
        figures.add("SQLite sum ms", Figures.percentile(0.5, of: sum))
    }
}
