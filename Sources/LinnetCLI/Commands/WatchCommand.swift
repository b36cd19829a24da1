import Linnet
import LinnetCRDT

/// `linnet watch`: what changes, while it changes.
enum WatchCommand {
    static let command = Command(
        "watch", words: "[C | C/ID]", summary: "Show records whenever they change, until stopped.",
        details: """
            A record is shown as it is now and again whenever it looks different; a collection, or
            everything, from now on. 'linnet run' may run beside it, start and stop; without it
            the home's files are looked at five times a second.
            """,
        example: "watch medication", run: run)

    /// How often the home's files are looked at, and how often a new node is looked for.
    private static let pollMilliseconds = 200
    private static let pollsForNode = 15

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        if words.count > 1 { throw .usage("unexpected argument '\(words[1])'") }
        var watched = Watched(showsFirst: words.first?.contains("/") ?? false)
        while true {
            let gateway = try await invocation.openGateway()
            do throws(ControlFailure) {
                let schema = try await gateway.schemaFile().schema
                let subject = try Subject(words.first, schema)
                try await watched.update(gateway, subject, schema, invocation.output)
                if gateway.isRemote {
                    try await follow(gateway, subject, schema, &watched, invocation.output)
                }
            } catch {
                await gateway.close()
                // The node has ended; another process may have the home next, or none.
                guard gateway.isRemote, error.kind == .unreachable else { throw error }
                continue
            }
            await gateway.close()
            await waitForChange(of: invocation.home)
        }
    }

    /// Shows what the node tells, until it ends.
    private static func follow(
        _ gateway: Gateway, _ subject: Subject, _ schema: Schema, _ watched: inout Watched,
        _ output: Output
    ) async throws(ControlFailure) {
        var known = watched
        defer { watched = known }
        try await gateway.perform(.observe(subject.observation), isLong: true) {
            (response) throws(ControlFailure) in
            switch response {
            case .changed(let changes):
                for change in changes {
                    guard let collection = schema.collection(id: change.collection) else {
                        continue
                    }
                    known.show(change.record, change.id, collection, output)
                }
            case .records(let records):
                if let place = subject.place {
                    known.show(records.first, place.id, place.collection, output)
                }
            default: return nil
            }
            return .more
        }
    }

    private static func waitForChange(of home: String) async {
        let files = ["store.sqlite", "store.sqlite-wal"].map { home + "/" + $0 }
        let before = FileStamp(files)
        for _ in 0..<pollsForNode {
            try? await Task.sleep(for: .milliseconds(pollMilliseconds))
            if FileStamp(files) != before { return }
        }
    }
}

/// What is watched: a record, a collection, or everything.
private struct Subject {
    let observation: ControlObservation
    let place: RecordPath?
    let collections: [Collection]

    init(_ word: String?, _ schema: Schema) throws(ControlFailure) {
        guard let word else {
            observation = .changes(collection: nil)
            place = nil
            collections = schema.collections
            return
        }
        if word.contains("/") {
            let path = try RecordPath(word, schema)
            observation = .record(collection: path.collection.id, record: path.id)
            place = path
            collections = [path.collection]
        } else {
            let collection = try Column.collection(named: word, in: schema)
            observation = .changes(collection: collection.id)
            place = nil
            collections = [collection]
        }
    }
}

/// What was shown of each record, so that only what looks different is shown again.
private struct Watched {
    private var lines: [String: String] = [:]
    private var isFirst = true
    private let showsFirst: Bool

    init(showsFirst: Bool) {
        self.showsFirst = showsFirst
    }

    /// Compares what is there with what was known.
    mutating func update(
        _ gateway: Gateway, _ subject: Subject, _ schema: Schema, _ output: Output
    ) async throws(ControlFailure) {
        var gone = Set(lines.keys)
        for collection in subject.collections {
            let records: [ControlRecord]
            if let place = subject.place {
                records = try await gateway.record(collection, place.id).map { [$0] } ?? []
            } else {
                records = try await gateway.records(of: collection)
            }
            for record in records {
                gone.remove(Self.name(collection, record.id))
                show(record, record.id, collection, output, isSilent: isFirst && !showsFirst)
            }
        }
        for collection in subject.collections {
            let prefix = collection.name + "/"
            for name in gone.sorted() where name.hasPrefix(prefix) {
                guard let id = RecordID(String(name.dropFirst(prefix.count))) else { continue }
                show(nil, id, collection, output)
            }
        }
        isFirst = false
    }

    mutating func show(
        _ record: ControlRecord?, _ id: RecordID, _ collection: Collection, _ output: Output,
        isSilent: Bool = false
    ) {
        let name = Self.name(collection, id)
        guard let record else {
            guard lines.removeValue(forKey: name) != nil else { return }
            return output.result(
                [
                    "event": "gone", "collection": .text(collection.name),
                    "id": .text(id.description),
                ], "\(collection.name)/\(TerminalText.neutral(id.description))  is gone")
        }
        guard case .object(let members) = RecordText.json(record, collection) else { return }
        let line = JSON.object(members).line
        guard lines.updateValue(line, forKey: name) != line, !isSilent else { return }
        output.result(
            .object([JSON.Member("event", "record")] + members),
            "\(collection.name)/" + RecordText.summary(record, collection))
    }

    private static func name(_ collection: Collection, _ id: RecordID) -> String {
        "\(collection.name)/\(id.description)"
    }
}
