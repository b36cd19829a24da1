import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// `linnet watch`: shows records whenever they change.
enum WatchCommand {
    static let command = Command(
        "watch", words: "[C | C/ID]", summary: "Show records whenever they change, until stopped.",
        details: """
            A single record is shown as it is now, then whenever it looks different; a collection,
            or everything, only from its next change on. 'linnet run' may start and stop meanwhile.
            """,
        example: "watch medication", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        if words.count > 1 { throw .usage("unexpected argument '\(words[1])'") }
        guard let feed = HomeFeed(invocation.home) else {
            throw ControlFailure(LinnetError.noResources)
        }
        var watched = Watched(showsFirst: words.first?.contains("/") ?? false)
        var subject: Subject?
        while let news = await feed.next() {
            switch news {
            case .changed(let changes):
                for change in changes {
                    guard let collection = subject?.collection(of: change) else { continue }
                    watched.show(change.record, change.key.record, collection, invocation.output)
                }
            case .look:
                subject = try await look(invocation, words.first, &watched)
            }
        }
    }

    private static let retryMilliseconds = 200

    /// Compares everything with what was shown; does so again when the node ended meanwhile.
    private static func look(
        _ invocation: Invocation, _ word: String?, _ watched: inout Watched
    ) async throws(ControlFailure) -> Subject {
        while true {
            let gateway = try await invocation.openGateway()
            do throws(ControlFailure) {
                let subject = try Subject(word, try await gateway.schemaFile().schema)
                try await watched.update(gateway, subject, invocation.output)
                await gateway.close()
                return subject
            } catch {
                await gateway.close()
                guard gateway.isRemote, error.kind == .unreachable else { throw error }
                try? await Task.sleep(for: .milliseconds(retryMilliseconds))
            }
        }
    }
}

/// The part of the home that is watched: a record, a collection, or everything.
private struct Subject {
    let place: RecordPath?
    let collections: [Collection]

    init(_ word: String?, _ schema: Schema) throws(ControlFailure) {
        guard let word else {
            place = nil
            collections = schema.collections
            return
        }
        if word.contains("/") {
            let path = try RecordPath(word, schema)
            place = path
            collections = [path.collection]
        } else {
            let collection = try Column.collection(named: word, in: schema)
            place = nil
            collections = [collection]
        }
    }

    /// Returns the collection of a changed record; nil when the change is not watched.
    func collection(of change: ControlChanged) -> Collection? {
        if let place, place.id != change.key.record { return nil }
        return collections.first { $0.id == change.key.collection }
    }
}

/// The text that was shown of each record, so that a record is shown again only when it looks
/// different.
private struct Watched {
    private var lines: [String: String] = [:]
    private var isFirst = true
    private let showsFirst: Bool

    init(showsFirst: Bool) {
        self.showsFirst = showsFirst
    }

    /// Compares the records that are there with those that were shown.
    mutating func update(
        _ gateway: Gateway, _ subject: Subject, _ output: Output
    ) async throws(ControlFailure) {
        var gone = Set(lines.keys)
        for collection in subject.collections {
            let records: [RecordView]
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
        _ record: RecordView?, _ id: RecordID, _ collection: Collection, _ output: Output,
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
