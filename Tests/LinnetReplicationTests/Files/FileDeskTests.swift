import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct FileDeskTests {
    private let bench: Workbench
    private var store: any Store { bench.turn.store }
    private let now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)

    init() throws { bench = try Workbench() }

    private func keep(
        _ chunks: [SealedChunk], owner: Int64?, in desk: inout FileDesk
    ) throws {
        try store.begin(.full)
        defer { if store.isInTransaction { store.rollback() } }
        for chunk in chunks {
            try desk.keep(chunk.entry.name, chunk.bytes, owner: owner, in: store)
        }
        try store.commit()
    }

    @Test func `chunks of a file whose attaching was broken off are forgotten`() throws {
        var desk = try FileDesk(in: store)
        let chunks = try FileBench.write(FileBench.content(5_000_000)).chunks
        let half = chunks.count / 2
        let first = desk.newOwner()
        try keep(Array(chunks[..<half]), owner: first, in: &desk)
        try store.begin(.full)
        try store.fasten(owner: first)
        try store.commit()
        // The second one has a chunk of the first, which stays.
        try keep(Array(chunks[(half - 1)...]), owner: desk.newOwner(), in: &desk)

        var reopened = try FileDesk(in: store)
        #expect(reopened.nextDeadline == 0)
        while reopened.mayForget {
            try store.begin(.full)
            try reopened.forgetSome(in: store)
            try store.commit()
        }
        #expect(try store.chunkTotals().count == half)
        #expect(try store.chunk(chunks[half - 1].entry.name) == chunks[half - 1].bytes)
        #expect(reopened.nextDeadline == nil)
        #expect(try FileDesk(in: store).nextDeadline == nil)
    }

    @Test func `an attaching that fails takes nothing from another one`() throws {
        var desk = try FileDesk(in: store)
        let chunks = try FileBench.write(FileBench.content(2_000_000)).chunks
        let (first, second) = (desk.newOwner(), desk.newOwner())
        try keep(Array(chunks.prefix(3)), owner: first, in: &desk)
        try keep(chunks, owner: second, in: &desk)
        desk.abandon(second)
        try store.begin(.full)
        while desk.mayForget { try desk.forgetSome(in: store) }
        try store.commit()
        #expect(try store.chunkTotals().count == 3)
        try store.begin(.full)
        try store.fasten(owner: first)
        desk.abandon(first)
        while desk.mayForget { try desk.forgetSome(in: store) }
        try store.commit()
        #expect(try store.chunkTotals().count == 3)
    }

    @Test func `no more is kept than a device may`() throws {
        var desk = try FileDesk(in: store)
        let chunks = try FileBench.write(FileBench.content(2_000_000)).chunks
        desk.mostBytes = UInt64(chunks[0].bytes.count)
        try keep([chunks[0]], owner: nil, in: &desk)
        #expect(throws: FileReading.fault(.noRoom)) {
            try keep([chunks[1]], owner: nil, in: &desk)
        }
        #expect(try store.chunkTotals().count == 1)
        #expect(try FileDesk(in: store).mostBytes == Limits.keptChunkBytes)
    }

    @Test func `no more files are fetched at a time than may be`() throws {
        var desk = try FileDesk(in: store)
        for number in 0..<Limits.fetchedFiles {
            let file = try FileBench.write([UInt8(number)]).file
            let name = try desk.begin(file, in: store)
            let again = try desk.begin(file, in: store)
            #expect(again == name)
        }
        let file = try FileBench.write([200]).file
        #expect(throws: FileReading.fault(.tooMany)) { _ = try desk.begin(file, in: store) }
        desk.end(try #require(desk.fetches.keys.first))
        #expect(throws: Never.self) { _ = try desk.begin(file, in: store) }
    }

    @Test func `a chunk is asked of one peer at a time, and then of the next`() throws {
        var desk = try FileDesk(in: store)
        let (file, chunks) = try FileBench.write(FileBench.content(2_000_000))
        let name = try desk.begin(file, in: store)
        let over = try desk.advance(in: store)
        #expect(over.isEmpty)
        let nothing = OrderedSet<Bytes32>()
        guard let one = desk.take(lacking: nothing), let two = desk.take(lacking: nothing) else {
            Issue.record("nothing is asked for")
            return
        }
        #expect(one.entry == chunks[0].entry && two.entry == chunks[1].entry)
        var lacking = nothing
        lacking.insert(name)
        let none = desk.take(lacking: lacking)
        #expect(none == nil)
        var claimed = OrderedSet<Bytes32>()
        claimed.insert(two.entry.name)
        desk.takeBack(butFor: claimed)
        let again = desk.take(lacking: nothing)
        #expect(again?.entry == one.entry)
        let came = [desk.came(one.entry.name), desk.came(one.entry.name)]
        #expect(came == [[name], []])
    }

    @Test func `a peer that lacked a chunk is asked again after a while`() throws {
        var desk = try FileDesk(in: store)
        _ = try desk.begin(try FileBench.write(FileBench.content(100)).file, in: store)
        _ = try desk.advance(in: store)
        #expect(desk.nextDeadline == nil)
        desk.lacked(at: now)
        #expect(desk.nextDeadline == now.uptimeMilliseconds + Limits.blockRetryMilliseconds)
        let isEarly = desk.isTimeToRetry(at: now)
        #expect(!isEarly)
        var later = now
        later.uptimeMilliseconds += Limits.blockRetryMilliseconds
        let isTime = desk.isTimeToRetry(at: later)
        #expect(isTime && desk.nextDeadline == nil)
    }
}
