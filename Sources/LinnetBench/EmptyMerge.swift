import LinnetReplication

/// The second workload: 100,000 changes into an empty replica, in bulk and in messages of 100.
struct EmptyMerge {
    let run: BenchRun
    private let linnet = BenchReport.linnet
    private let cells = BenchReport.cells

    init(run: BenchRun) { self.run = run }

    private var changes: Double { Double(run.scale.mergedRecords * BenchScale.fields) }

    func run(_ report: inout BenchReport) throws {
        run.progress("W2, writing")
        let sender = try Reference(.cells, at: run.path("w2a"))
        sender.seed(run.scale.mergedRecords)
        let writer = try BenchHome.create(at: run.path("w2-writer"), founding: true)
        let empty = run.path("w2-empty")
        let reader = try BenchHome.create(at: empty, founding: false)
        try writer.admit(reader)
        try SocketPair(reader, writer).run()
        try reader.close()
        try writer.seed(run.scale.mergedRecords)
        try writer.settle()
        for round in 1...run.rounds {
            run.progress("W2, round \(round) of \(run.rounds)")
            try bulk(sender, writer, empty, &report)
            try messages(sender, writer, empty, &report)
        }
        try writer.close()
    }

    private func bulk(
        _ sender: Reference, _ writer: BenchHome, _ empty: String, _ report: inout BenchReport
    ) throws {
        var message: Reference.Message?
        let encoding = BenchClock.time { message = sender.encode() }
        guard let message else { return }
        let receiver = try Reference(.cells, at: run.path("w2b"), site: 2)
        let reference = changes / BenchClock.time { receiver.apply(message) }
        try sender.checkEqual(receiver)
        report.add(cells, "W2", "encode_ops_per_s", changes / encoding)
        report.add(cells, "W2", "message_bytes", Double(message.count))
        report.add(cells, "W2", "apply_bulk_ops_per_s", reference)
        let transfer = try Transfer(from: writer, toCopyOf: empty, at: run.path("w2-reader"))
        let ours = changes / BenchClock.time { transfer.deliver() }
        report.add(linnet, "W2", "encode_ops_per_s", changes / transfer.encodingSeconds)
        report.add(linnet, "W2", "message_bytes", Double(transfer.byteCount))
        report.add(linnet, "W2", "apply_bulk_ops_per_s", ours)
        report.compare("W2", "apply_bulk_ops_per_s", ours: ours, reference: reference, to: cells)
        try transfer.finish(expecting: run.scale.mergedRecords)
        report.add(linnet, "W2", "replicas_equal", 1)
        report.add(
            linnet, "W2", "bytes_on_disk",
            BenchFiles.size(BenchHome.databasePath(run.path("w2-reader"))))
    }

    private func messages(
        _ sender: Reference, _ writer: BenchHome, _ empty: String, _ report: inout BenchReport
    ) throws {
        var messages: [Reference.Message] = []
        for first: Int64 in stride(from: 0, to: sender.version, by: BenchScale.transaction) {
            messages.append(
                sender.encode(since: first, upTo: first + Int64(BenchScale.transaction)))
        }
        let receiver = try Reference(.cells, at: run.path("w2b"), site: 2)
        let reference = changes / BenchClock.time { messages.forEach(receiver.apply) }
        try sender.checkEqual(receiver)
        report.add(cells, "W2s", "apply_messages_of_100_ops_per_s", reference)
        report.add(cells, "W2s", "messages", Double(messages.count))
        let transfer = try Transfer(from: writer, toCopyOf: empty, at: run.path("w2-reader"))
        let frames = transfer.frames()
        let seconds = BenchClock.time {
            for frame in frames { transfer.deliver(frame) }
        }
        let ours = changes / seconds
        report.add(linnet, "W2s", "apply_messages_of_100_ops_per_s", ours)
        report.add(linnet, "W2s", "messages", Double(frames.count))
        report.compare(
            "W2s", "apply_messages_of_100_ops_per_s", ours: ours, reference: reference, to: cells)
        try transfer.finish(expecting: run.scale.mergedRecords)
        report.add(linnet, "W2s", "replicas_equal", 1)
    }
}

/// A session over which a writer has sent everything that an empty replica has not received yet.
private final class Transfer {
    private let writer: BenchHome
    private let reader: BenchHome
    private let link: LinkID
    private var captured: [UInt8] = []
    private(set) var encodingSeconds = 0.0

    init(from writer: BenchHome, toCopyOf empty: String, at path: String) throws {
        try BenchFiles.copy(empty, to: path)
        self.writer = writer
        reader = try BenchHome.open(at: path)
        link = LinkID(rawValue: UInt64(BenchClock.seconds * 1e6))
        writer.handle(.linkOpened(link, .accepted))
        reader.handle(.linkOpened(link, .dialled))
        try converse()
    }

    var byteCount: Int { captured.count }

    /// Lets both talk, but keeps the writer's answer once the reader has said what it lacks.
    private func converse() throws {
        while captured.isEmpty {
            let fromWriter = take(writer)
            let fromReader = take(reader)
            try require(
                !(fromWriter.isEmpty && fromReader.isEmpty), "the writer has sent nothing")
            reader.handle(.received(link, fromWriter))
            let seconds = BenchClock.time { writer.handle(.received(link, fromReader)) }
            // What follows the handshake is short until the batches come.
            if writer.outgoing.reduce(0, { $0 + $1.bytes.count }) > 640 {
                encodingSeconds = seconds
                captured = take(writer)
            }
        }
    }

    private func take(_ home: BenchHome) -> [UInt8] {
        defer { home.outgoing.removeAll() }
        return home.outgoing.flatMap(\.bytes)
    }

    func deliver() { deliver(captured) }

    func deliver(_ bytes: [UInt8]) { reader.handle(.received(link, bytes)) }

    /// The bytes of each frame.
    func frames() -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var start = 0
        while start + 2 <= captured.count {
            let end = start + 2 + (Int(captured[start]) << 8 | Int(captured[start + 1]))
            guard end <= captured.count else { break }
            frames.append(Array(captured[start..<end]))
            start = end
        }
        return frames
    }

    /// Checks every value, and closes the reader.
    func finish(expecting records: Int) throws {
        try require(try reader.digest() == writer.digest(), "the replicas differ")
        try Expectation(records: records).check(reader)
        writer.handle(.linkClosed(link))
        writer.outgoing.removeAll()
        try reader.close()
    }
}
