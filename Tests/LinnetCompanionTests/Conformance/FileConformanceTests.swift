import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of files.
@Suite struct FileConformanceTests {
    private func offer(
        _ ends: inout TwoEnds, _ name: String, count: Int, processed: Bool = false
    ) throws -> TransferID {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
        ends.phone.files[name] = content
        let file = OutgoingFile(
            reference: name, byteCount: UInt64(count),
            contentHash: FileDigest.digest(of: content), metadata: ["name": .text(name)])
        let options = TransferOptions(importance: .files, wantsProcessed: processed)
        return try #require(try ends.ask(.phone, .transferFile(file, options)))
    }

    @Test func `a file needs an activated session`() throws {
        var ends = try TwoEnds()
        try ends.pair()
        #expect(throws: CompanionError.sessionNotActivated) {
            try offer(&ends, "a", count: 1)
        }
    }

    @Test func `a file arrives whole with its metadata`() throws {
        var ends = try TwoEnds.together()
        ends.watch.claimsFiles = false
        for count in [0, 1, 49_152, 49_153, 300_000] {
            _ = try offer(&ends, "\(count)", count: count)
            try ends.run()
        }
        #expect(ends.watch.receivedFiles.map(\.byteCount) == [0, 1, 49_152, 49_153, 300_000])
        #expect(ends.watch.receivedFiles.last?.metadata == ["name": .text("300000")])
        #expect(ends.phone.finished.count == 5)
    }

    @Test func `files are delivered in the order in which they were sent`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        let ids = try [90_000, 5, 200_000].map { try offer(&ends, "\($0)", count: $0) }
        try ends.link()
        #expect(ends.watch.receivedFiles.map(\.id) == ids)
    }

    @Test func `a received file is deleted when the call returns unless it was moved`() throws {
        var ends = try TwoEnds.together()
        let kept = try offer(&ends, "kept", count: 10)
        try ends.run()
        ends.watch.claimsFiles = false
        let dropped = try offer(&ends, "dropped", count: 10)
        try ends.run()
        #expect(ends.watch.inbox[kept]?.count == 10)
        #expect(ends.watch.inbox[dropped] == nil)
        #expect(ends.watch.receivedFiles.count == 2)
    }

    @Test func `a file towards the watch launches its app in the background`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.watch, .environment(.app(.notRunning)))
        try ends.run()
        _ = try offer(&ends, "a", count: 10)
        try ends.run()
        #expect(ends.watch.wakes == 1)
        #expect(ends.watch.receivedFiles.count == 1)
    }

    @Test func `the outstanding files outlast a restart, and their sender is told of the end`()
        throws
    {
        var ends = try TwoEnds.together()
        try ends.cut()
        let id = try offer(&ends, "a", count: 100_000)
        try ends.restart(.phone)
        #expect(ends.phone.machine.outstandingFileTransfers.map(\.id) == [id])
        try ends.link()
        #expect(ends.watch.receivedFiles.map(\.id) == [id])
        try ends.launch(.phone)
        #expect(ends.phone.finished.map(\.transfer.id) == [id])
    }

    @Test func `a cancelled file is not delivered and leaves nothing behind`() throws {
        var ends = try TwoEnds.together()
        let id = try offer(&ends, "a", count: 300_000)
        for _ in 0..<4 { try ends.step() }
        #expect(ends.watch.inbox[id] != nil)
        try ends.ask(.phone, .cancel(id))
        try ends.run()
        #expect(ends.watch.inbox[id] == nil)
        #expect(ends.watch.receivedFiles.isEmpty)
        #expect(ends.phone.machine.outstandingFileTransfers.isEmpty)
    }

    @Test func `a file goes on where it was cut`() throws {
        var ends = try TwoEnds.together()
        let id = try offer(&ends, "a", count: 500_000)
        for _ in 0..<9 { try ends.step() }
        let before = ends.watch.inbox[id]?.count ?? 0
        #expect(before > 100_000)
        try ends.restart(.watch)
        try ends.restart(.phone)
        ends.watch.effects = []
        try ends.launch(.watch)
        try ends.link()
        let offsets = ends.watch.effects.compactMap { effect -> UInt64? in
            if case .store(_, let offset, _) = effect { offset } else { nil }
        }
        #expect(offsets.first == UInt64(before))
        #expect(ends.watch.inbox[id] == ends.phone.files["a"])
    }

    @Test func `every part of a file fits a frame of less than 64 KiB`() throws {
        var ends = try TwoEnds.together()
        _ = try offer(&ends, "a", count: 200_000)
        try ends.run()
        let sizes = ends.phone.effects.compactMap { effect -> Int? in
            if case .send(_, let frame) = effect { frame.count } else { nil }
        }
        #expect(sizes.max() ?? 0 > 49_152)
        #expect(sizes.allSatisfy { $0 < 65_536 })
    }

    @Test func `a file that changed while it was sent is refused`() throws {
        var ends = try TwoEnds.together()
        let id = try offer(&ends, "a", count: 300_000)
        for _ in 0..<4 { try ends.step() }
        ends.phone.files["a"]?[290_000] ^= 1
        try ends.run()
        #expect(ends.phone.finished.map(\.error) == [.fileAccessDenied])
        #expect(ends.watch.inbox[id] == nil)
        #expect(ends.watch.receivedFiles.isEmpty)
    }

    @Test func `a file that cannot be read is an error`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        _ = try offer(&ends, "a", count: 10)
        ends.phone.files = [:]
        try ends.link()
        #expect(ends.phone.finished.map(\.error) == [.fileAccessDenied])
    }

    @Test func `a file above the limit is refused`() throws {
        var switches = CompanionSwitches()
        switches.fileBytes = 1_000
        var ends = try TwoEnds.together(switches)
        #expect(throws: CompanionError.payloadTooLarge) {
            try offer(&ends, "a", count: 1_001)
        }
    }

    @Test func `a file whose call died with its process is not presented again`() throws {
        var ends = try TwoEnds.together()
        ends.watch.returnsFromCalls = false
        let id = try offer(&ends, "a", count: 10)
        try ends.run()
        try ends.restart(.watch)
        try ends.launch(.watch)
        try ends.link()
        #expect(ends.watch.receivedFiles.map(\.isRepeated) == [false])
        #expect(ends.watch.inbox[id] == nil)
    }

    @Test func `a file that asks for it is presented again until processed`() throws {
        var ends = try TwoEnds.together()
        ends.watch.processes = false
        ends.watch.claimsFiles = false
        let id = try offer(&ends, "a", count: 10, processed: true)
        try ends.run()
        try ends.restart(.watch)
        try ends.launch(.watch)
        try ends.link()
        #expect(ends.watch.receivedFiles.map(\.isRepeated) == [false, true])
        #expect(ends.watch.inbox[id] != nil)
        try ends.ask(.watch, .processed(id))
        try ends.run()
        #expect(ends.watch.inbox[id] == nil)
        #expect(ends.phone.told.contains(.transferProcessed(id)))
    }
}
