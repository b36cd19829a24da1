import Linnet
import LinnetAPI
import LinnetControl

/// Measures figures about many records and a search by words, beside SQLite's own over the same
/// texts in plain columns and its FTS5, in the same rounds; and what a write waits for meanwhile.
enum SearchBench {
    /// The number of times that each question is asked.
    private static let rounds = 5
    /// The time after which no more writes are measured beside something, however few there were.
    private static let longestMeasure = Duration.seconds(30)
    /// The records of one transaction of an import.
    private static let importedAtOnce = 200

    /// A question, as it is put to a node and to SQLite. Both have to answer with the same numbers.
    private struct Question {
        let name: String
        let sql: String
        let ask: (Node) async throws -> [Int64]
    }

    static func run(in directory: String, records: Int) async throws -> Figures {
        var figures = Figures(name: "search in \(records) records")
        let bare = try BenchNotes(at: directory + "/bare.sqlite", records: records)
        figures.add("FTS5 build ms", try await timed { try bare.fillWords() })
        let node = try await BenchNotes.node(at: directory + "/search", records: records)
        for question in questions { try await compare(question, node, bare, &figures) }
        let like = try await median { _ = try bare.ask(Self.like) }
        figures.add("SQLite LIKE ms", like)
        let words = FieldName("body").matches(BenchNotes.rareWord)
        try await writes(node, "no reading", &figures, beside: nil)
        try await writes(node, "a count in one call", &figures) { node in
            _ = try await node.read { (node) throws(LinnetError) in
                try node.count(Query("note", where: words))
            }
        }
        try await writes(node, "a count", &figures) { node in
            _ = try await node.count(Query("note", where: words))
        }
        try await writes(node, "a scan", &figures) { node in
            for try await _ in try await node.scan(Query("note", where: words)) {}
        }
        try await importing(node, "an import", &figures, beside: nil)
        try await importing(node, "an import and a count", &figures) { node in
            _ = try await node.count(Query("note", where: words))
        }
        await node.stop()
        return figures
    }

    private static let like = "SELECT count(*) FROM notes WHERE body LIKE '%Núñez%'"

    private static var questions: [Question] {
        let rare = FieldName("body").matches(BenchNotes.rareWord)
        return [
            Question(name: "count", sql: "SELECT count(*) FROM notes") { node in
                [Int64(try await node.count(Query("note")))]
            },
            Question(
                name: "count with a condition", sql: "SELECT count(*) FROM notes WHERE size < 100"
            ) { node in
                [Int64(try await node.count(Query("note", where: FieldName("size") < 100)))]
            },
            figures("sum", "SELECT sum(size) FROM notes", [.sum("size")]),
            figures(
                "min and max", "SELECT min(size), max(size) FROM notes",
                [.min("size"), .max("size")]),
            figures(
                "min and max by index",
                "SELECT (SELECT min(rank) FROM notes), (SELECT max(rank) FROM notes)",
                [.min("rank"), .max("rank")]),
            figures(
                "groups", "SELECT count(*), sum(size) FROM notes GROUP BY kind ORDER BY kind",
                [.count, .sum("size")], by: ["kind"]),
            Question(
                name: "words",
                sql: "SELECT count(*) FROM words WHERE words MATCH '\(BenchNotes.rareWord)'"
            ) { node in [Int64(try await node.count(Query("note", where: rare)))] },
        ]
    }

    private static func figures(
        _ name: String, _ sql: String, _ aggregates: [Aggregate], by fields: [String] = []
    ) -> Question {
        Question(name: name, sql: sql) { node in
            try await node.figures(aggregates, of: Query("note"), by: fields)
                .flatMap(\.figures).compactMap {
                    if case .int(let number) = $0.value { number } else { nil }
                }
        }
    }

    private static func compare(
        _ question: Question, _ node: Node, _ bare: BenchNotes, _ figures: inout Figures
    ) async throws {
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            var (found, expected): ([Int64], [Int64]) = ([], [])
            ours.append(try await timed { found = try await question.ask(node) })
            theirs.append(try await timed { expected = try bare.ask(question.sql) })
            guard found == expected, !found.isEmpty else {
                throw ControlFailure.failed("\(question.name): \(found) in place of \(expected)")
            }
        }
        let medians = [ours, theirs].map { Figures.percentile(0.5, of: $0) }
        figures.add("\(question.name) ms", medians[0])
        figures.add("\(question.name) SQLite ms", medians[1])
        figures.add("\(question.name) speed of SQLite's", medians[1] / max(medians[0], 1e-6))
    }

    private static func median(_ body: () async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try await timed(body)) }
        return Figures.percentile(0.5, of: times)
    }

    /// Returns the milliseconds that something took.
    private static func timed(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start).microseconds / 1_000
    }

    /// Measures writes while so much is imported beside them that rows are written all the time.
    private static func importing(
        _ node: Node, _ name: String, _ figures: inout Figures,
        beside read: (@Sendable (Node) async throws -> Void)?
    ) async throws {
        let importing = Task {
            var number = 0
            while !Task.isCancelled {
                var transaction = Transaction()
                for _ in 0..<importedAtOnce {
                    transaction.set("note", "note-\(number)", ["size": .int(Int64(number % 1_000))])
                    number += 37
                }
                try await node.commit(transaction, durability: .relaxed)
                try await Task.sleep(for: .milliseconds(10))
            }
            return number / 37
        }
        try await writes(node, name, &figures, beside: read)
        importing.cancel()
        do {
            _ = try await importing.value
        } catch is CancellationError {
            // It was asleep.
        }
    }

    /// Measures writes that are due every 10 ms, from the moment at which each is due, while
    /// something is read again and again.
    private static func writes(
        _ node: Node, _ name: String, _ figures: inout Figures,
        beside read: (@Sendable (Node) async throws -> Void)?
    ) async throws {
        let reading = Task {
            var readings = 0
            while let read, !Task.isCancelled {
                try await read(node)
                readings += 1
                await Task.yield()
            }
            return readings
        }
        let clock = ContinuousClock()
        let start = clock.now
        var delays: [Double] = []
        for number in 0..<300 where clock.now < start + longestMeasure {
            let due = start + .milliseconds(10 * number)
            if clock.now < due { try await Task.sleep(until: due, clock: clock) }
            try await node.set("note", "written-\(number % 20)", ["size": .int(Int64(number))])
            delays.append((clock.now - due).microseconds / 1_000)
        }
        reading.cancel()
        let readings = try await reading.value
        figures.add("writes beside \(name)", Double(delays.count))
        figures.add("writes beside \(name) p50 ms", Figures.percentile(0.5, of: delays))
        figures.add("writes beside \(name) p99 ms", Figures.percentile(0.99, of: delays))
        figures.add("writes beside \(name) longest ms", delays.max() ?? 0)
        if read != nil { figures.add("readings beside these writes", Double(readings)) }
    }
}
