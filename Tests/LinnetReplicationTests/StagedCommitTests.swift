import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Commits of several parts that are more work than one call does.
@Suite struct StagedCommitTests {
    private let fleet: Fleet
    private let writer: Device
    private let reader: Device
    private static let limit = 500
    private static let records = 3_000

    init() throws {
        fleet = try Fleet.ofThings()
        let devices = try fleet.group(["writer", "reader"])
        (writer, reader) = (devices[0], devices[1])
        try writer.change([.edit(field: 3, at: 0, deleting: 0, inserting: "begun ")], fleet)
        fleet.connect(writer, reader)
        fleet.disconnectAll()
        reader.replica?.shownInOneCall = Self.limit
    }

    /// Writes more elements than two batches hold, in as many records, and one text.
    private func writeMuch() throws -> Int {
        var writes = try (0..<Self.records).map { number in
            let id = try #require(RecordID("record-\(number)"))
            let tags = (0..<3).map { Change.add(field: 2, .text("tag \($0) of \(number)")) }
            return Write(RecordKey(collection: 2_000, record: id), tags)
        }
        let words = Change.edit(field: 3, at: 6, deleting: 0, inserting: "written ")
        writes.append(Write(writer.key, [words]))
        return try writer.commit(writes, at: fleet.now).batches
    }

    private func count() throws -> Int {
        try reader.replica?.reader.records(2_000).count ?? -1
    }

    /// Calls the reader as long as it has more to show; `look` is told the parts that are merged.
    private func goOn(_ look: (Int) throws -> Void = { _ in }) throws {
        while reader.replica?.isShowingDue == true {
            #expect(reader.replica?.nextDeadline == 0)
            try look(reader.replica?.recordBook.staged?.merged.count ?? 0)
            reader.perform(reader.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
        }
    }

    @Test func `each call opens and merges so much, and the commit shows at once`() throws {
        let parts = try writeMuch()
        #expect(parts > 1)
        var merged: [Int] = []
        var shown: Set<Int> = []
        fleet.arrived = {
            do {
                try goOn { parts in
                    merged.append(parts)
                    shown.insert(try count())
                }
            } catch { Issue.record(error) }
        }
        fleet.connect(writer, reader)
        // A batch is more than the limit, so that each call merges one.
        let steps = zip([0] + merged, merged).map { $1 - $0 }
        #expect(merged.max() == parts - 1 && steps.allSatisfy { $0 <= 1 }, "\(merged)")
        #expect(shown.contains(1) && shown.isSubset(of: [1, Self.records + 1]), "\(shown)")
        #expect(try count() == Self.records + 1)
        #expect(try reader.shown(3) == .text("begun written "))
        try expectConverged([writer, reader])
    }

    @Test func `what this device writes meanwhile stays, in the same records too`() throws {
        _ = try writeMuch()
        var edits = 0
        fleet.arrived = { [reader, fleet] in
            do {
                try goOn { parts in
                    guard parts > 0 else { return }
                    edits += 1
                    try reader.commit(
                        [
                            Write(
                                reader.key,
                                [.edit(field: 3, at: 0, deleting: 0, inserting: "+")])
                        ],
                        at: fleet.now)
                    let id = try #require(RecordID("record-\(edits)"))
                    let key = RecordKey(collection: 2_000, record: id)
                    try reader.commit(
                        [Write(key, [.add(field: 2, .text("mine"))])], at: fleet.now)
                    let texts = ["begun ", "begun written "].map { plus(edits) + $0 }
                    #expect(try texts.map(Value.text).contains(reader.shown(3)))
                }
            } catch { Issue.record(error) }
        }
        fleet.connect(writer, reader)
        fleet.run()
        #expect(edits > 0)
        #expect(try reader.shown(3) == .text(plus(edits) + "begun written "))
        let id = try #require(RecordID("record-1"))
        let tags = try reader.replica?.reader.record(2_000, id)?.fields.first?.values
        #expect(tags?.contains { "\($0)".contains("mine") } == true)
        try expectConverged([writer, reader])
    }

    private func plus(_ count: Int) -> String { String(repeating: "+", count: count) }

    @Test func `the end of the process between two calls loses nothing and shows no half`() throws {
        _ = try writeMuch()
        var ends = 0
        fleet.arrived = { [reader, fleet] in
            while reader.replica?.isShowingDue == true {
                reader.perform(reader.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
                guard reader.replica?.recordBook.staged?.merged.isEmpty == false else { continue }
                ends += 1
                reader.crash()
            }
        }
        fleet.connect(writer, reader)
        fleet.arrived = nil
        #expect(ends == 1)
        fleet.disconnectAll()
        try reader.open(
            at: fleet.now, witness: .intact(try #require(reader.mark)), schema: fleet.schema)
        // Who opens a home sees all of it.
        #expect(try [1, Self.records + 1].contains(count()))
        fleet.connect(writer, reader)
        fleet.run()
        #expect(try count() == Self.records + 1)
        try expectConverged([writer, reader])
    }

    /// Deletes the last batch of the writer from its disk, which nobody else has; its next opening
    /// says again all that follows.
    private func loseNewest() throws -> () throws -> Void {
        let own = writer.replica?.device
        let rows = writer.replica?.log.chainRows() ?? []
        let row = try #require(rows.filter { $0.device == own }.max { $0.stored < $1.stored })
        let key = row.index << 40 | Int64(row.stored)
        return { [writer, fleet] in
            guard let mark = writer.replica?.witnessMark else { throw Device.Closed() }
            try writer.close()
            try writer.run("DELETE FROM batches WHERE key = \(key)")
            try writer.open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
            fleet.advance(Limits.gapSearchMilliseconds)
            fleet.meetDeadlines([writer])
        }
    }

    @Test func `one whose parts say others again is merged apart, too`() throws {
        try writer.change([.edit(field: 3, at: 0, deleting: 0, inserting: "lost ")], fleet)
        let lose = try loseNewest()
        let parts = try writeMuch()
        try lose()
        var merged: [Int] = []
        fleet.arrived = {
            do { try goOn { merged.append($0) } } catch { Issue.record(error) }
        }
        try fleet.meet(writer, reader)
        try fleet.meet(writer, reader)
        let steps = zip([0] + merged, merged).map { $1 - $0 }
        #expect(merged.max() ?? 0 >= parts - 1 && steps.allSatisfy { $0 <= 1 }, "\(merged)")
        #expect(reader.replica?.chains.index.restatements.isEmpty == false)
        #expect(try count() == Self.records + 1)
        try expectConverged([writer, reader])
    }

    @Test func `one that grows too large to be staged is shown at once`() throws {
        _ = try writeMuch()
        reader.replica?.foldPolicy.largestRecord = 1
        var merged = 0
        fleet.arrived = {
            do { try goOn { merged = max(merged, $0) } } catch { Issue.record(error) }
        }
        fleet.connect(writer, reader)
        #expect(merged <= 1)
        #expect(try count() == Self.records + 1)
    }

    @Test func `an edit of a text counts as much as eight changes of single values`() throws {
        func work(_ kind: OperationKind) -> Int {
            let operation = Operation(
                collection: 2_000, record: writer.id, generation: 1, field: 3,
                kind: kind.rawValue, stampDelta: 0, payload: [0])
            let attributes = BatchAttributes(
                commit: .zero, part: 1, parts: 1, intent: nil, schemaVersion: 1, baseStamp: .zero,
                partScopes: [])
            return BatchBody(
                attributes: attributes, operations: Operations([operation, operation])
            ).mergingWork
        }
        #expect(work(.lwwSet) == 2)
        #expect(work(.textInsert) == 16 && work(.textDelete) == 16 && work(.textCopy) == 16)
    }

    @Test func `a large row is written in calls of its own, so many runs in each`() throws {
        let words = String(repeating: "word ", count: 10_000)
        reader.replica?.shownInOneCall = 1
        reader.replica?.foldPolicy.work = 1
        for _ in 0..<8 {
            try writer.change([.edit(field: 3, at: 0, deleting: 0, inserting: words)], fleet)
        }
        var (parts, rows, edits) = (0, 0, 0)
        fleet.arrived = { [reader, fleet] in
            while reader.replica?.isShowingDue == true {
                let isPutOff = reader.replica?.recordBook.fold.isPutOff == true
                let hidden = reader.replica?.batchesHidden
                reader.perform(reader.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
                guard isPutOff else { continue }
                parts += 1
                if reader.replica?.recordBook.fold.isPutOff == false { rows += 1 }
                #expect(reader.replica?.batchesHidden == hidden)
                // What is written here meanwhile is in no row yet.
                guard parts == 2 || parts == 5 else { continue }
                do {
                    edits += 1
                    try reader.change(
                        [.edit(field: 3, at: 0, deleting: 0, inserting: "+")], fleet)
                    #expect(reader.replica?.recordBook.overlay.isDirty(reader.key) == true)
                } catch { Issue.record(error) }
            }
        }
        fleet.connect(writer, reader)
        #expect(rows > 0 && parts > 3 * rows && edits > 0, "\(parts) parts of \(rows) rows")
        fleet.arrived = nil
        fleet.run()
        try expectConverged([writer, reader])
        // Rows and batches after the marks make up all of it, also after a crash.
        let shown = try reader.shown(3)
        reader.crash()
        fleet.disconnectAll()
        try reader.open(
            at: fleet.now, witness: .intact(try #require(reader.mark)), schema: fleet.schema)
        #expect(try reader.shown(3) == shown)
    }
}
