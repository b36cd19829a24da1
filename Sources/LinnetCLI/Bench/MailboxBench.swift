import Linnet
import LinnetAPI
import LinnetBench
import LinnetControl

/// Measures what a store costs two devices that never meet, beside the bare verbs of the same store
/// in the same run.
struct MailboxBench {
    /// The workloads that can be measured.
    enum Workload: String, CaseIterable {
        /// A change from device to device, both looking into the store at once.
        case M1
        /// The first look of a device at a group with many records.
        case M2
        /// A day with twelve doses, with all looks that nodes make by themselves.
        case M3
    }

    /// The changes of one round.
    private static let changes = 20
    private static let doses = 12
    /// The looks of one device for each of 12 doses: every half minute for ten minutes, and every
    /// five minutes for the rest of two hours.
    private static let looks = 42

    let directory: String
    let address: String
    let credentials: MailboxCredentials?
    let rounds: Int
    /// The records of a group that a newcomer reads.
    var records = 100_000
    let progress: (String) -> Void
    private(set) var lines: [BenchLine] = []

    /// - Parameters:
    ///   - directory: an empty directory for the homes.
    ///   - address: the store.
    ///   - progress: hears what is being measured.
    init(
        in directory: String, at address: String, _ credentials: MailboxCredentials?, rounds: Int,
        progress: @escaping (String) -> Void
    ) {
        self.directory = directory
        self.address = address
        self.credentials = credentials
        self.rounds = rounds
        self.progress = progress
    }

    /// Measures a workload; throws when a result is wrong.
    mutating func run(_ workload: Workload) async throws {
        progress("\(workload.rawValue) through \(address)")
        switch workload {
        case .M1: try await measureChanges()
        case .M2: try await measureNewcomer()
        case .M3: try await measureDay()
        }
    }

    private mutating func measureChanges() async throws {
        let (writer, reader) = try await pair("m1")
        var (samples, verbs): ([Double], [Double]) = ([], [])
        var (left, taken) = (MailboxCost(), MailboxCost())
        for number in 0..<Self.changes * rounds {
            verbs.append(try await trial())
            let start = ContinuousClock.now
            try await write(number, on: writer)
            try left.add(await writer.lookIntoMailboxes())
            try taken.add(await reader.lookIntoMailboxes())
            samples.append((ContinuousClock.now - start).microseconds / 1_000)
            try await check(number, on: reader)
        }
        let count = Double(samples.count)
        let middle = Figures.percentile(0.5, of: samples)
        add(.M1, "change_p50_ms", middle)
        add(.M1, "change_p99_ms", Figures.percentile(0.99, of: samples))
        add(.M1, "put_get_list_delete_p50_ms", Figures.percentile(0.5, of: verbs))
        add(
            .M1, "speed_x_put_get_list_delete",
            Figures.percentile(0.5, of: verbs) / max(middle, 1e-6))
        for (cost, side) in [(left, "writer"), (taken, "reader")] {
            add(.M1, "requests_per_change_\(side)", Double(cost.requests) / count)
            add(.M1, "bytes_per_change_\(side)", Double(cost.bytes) / count)
        }
        await stop(writer, reader)
    }

    private mutating func measureNewcomer() async throws {
        let (writer, reader) = try await pair("m2")
        try await BenchNotes.fill(writer, records: records)
        let start = ContinuousClock.now
        var (left, taken) = (MailboxCost(), MailboxCost())
        try left.add(await writer.syncMailboxes())
        let middle = ContinuousClock.now
        try taken.add(await reader.syncMailboxes())
        try await waitForRecords(on: reader)
        let end = ContinuousClock.now
        add(.M2, "records", Double(records))
        for (cost, side, time) in [
            (left, "writer", middle - start), (taken, "newcomer", end - middle),
        ] {
            add(.M2, "\(side)_s", time.microseconds / 1e6)
            add(.M2, "\(side)_requests", Double(cost.requests))
            add(.M2, "\(side)_bytes", Double(cost.bytes))
        }
        await stop(writer, reader)
    }

    private mutating func measureDay() async throws {
        let (writer, reader) = try await pair("m3")
        var day = (writer: MailboxCost(), reader: MailboxCost())
        var empty = MailboxCost()
        let before = try await carried(by: writer, reader)
        for number in 0..<Self.doses {
            try await write(number, on: writer)
            for look in 0..<Self.looks {
                try day.writer.add(await writer.lookIntoMailboxes())
                let looks = try await reader.lookIntoMailboxes()
                try day.reader.add(looks)
                // Nothing has been new for long then.
                if number == Self.doses - 1, look == Self.looks - 1 { try empty.add(looks) }
            }
            try await check(number, on: reader)
        }
        let after = try await carried(by: writer, reader)
        for (cost, side) in [(day.writer, "writer"), (day.reader, "reader")] {
            add(.M3, "requests_a_day_\(side)", Double(cost.requests))
            add(.M3, "object_bytes_a_day_\(side)", Double(cost.bytes))
        }
        add(.M3, "requests_of_an_empty_look", Double(empty.requests))
        add(.M3, "bytes_on_the_wire_a_day_of_both", Double(after - before))
        await stop(writer, reader)
    }
}

extension MailboxBench {
    private mutating func add(_ workload: Workload, _ metric: String, _ value: Double) {
        let scheme = String(address.prefix { $0 != ":" })
        lines.append(
            BenchLine(peer: scheme, workload: workload.rawValue, metric: metric, value: value))
    }

    /// Makes two devices of one group which use the store alone from then on.
    private func pair(_ name: String) async throws -> (writer: Node, reader: Node) {
        let home = directory + "/" + name
        let schema = try Schema(version: 1, collections: [BenchNotes.collection])
        var writer = try await Node.create(
            at: home + "-writer", name: "Writer", kind: .phone, schema: schema)
        var reader = try await Node.createToJoin(
            at: home + "-reader", name: "Reader", kind: .watch)
        let link = NodeOptions.companionLink(home + "-link")
        for node in [writer, reader] { try await node.start(link) }
        let invitation = try await writer.offerPairing { _ in true }
        try await reader.join(code: invitation.code)
        await stop(writer, reader)
        writer = try await Node.open(at: home + "-writer")
        reader = try await Node.open(at: home + "-reader")
        for node in [writer, reader] {
            try await node.addMailbox(address, credentials: credentials)
            // Both know each other's membership records then.
            _ = try await node.syncMailboxes()
        }
        _ = try await writer.syncMailboxes()
        return (writer, reader)
    }

    private func stop(_ nodes: Node...) async {
        for node in nodes { await node.stop() }
    }

    private func write(_ number: Int, on node: Node) async throws {
        try await node.set("note", "bench", ["body": .text("value \(number)")])
    }

    private func check(_ number: Int, on node: Node) async throws {
        guard try await node.get("note", "bench")?["body"] == .text("value \(number)") else {
            throw ControlFailure.failed("change \(number) did not arrive through \(address)")
        }
    }

    /// Waits until a node shows all records: what a look brought shows in several calls.
    private func waitForRecords(on node: Node) async throws {
        let limit = ContinuousClock.now + .seconds(120)
        while try await node.count(Query("note")) < records {
            guard ContinuousClock.now < limit else {
                let count = try await node.count(Query("note"))
                throw ControlFailure.failed("the newcomer shows \(count) of \(records) records")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The milliseconds that the store takes for one object: to put, get, list and delete it.
    private func trial() async throws -> Double {
        let start = ContinuousClock.now
        let trial = try await Node.testMailbox(address, credentials: credentials)
        if let failure = trial.failure { throw ControlFailure.failed("\(address): \(failure)") }
        return (ContinuousClock.now - start).microseconds / 1_000
    }

    /// The bytes that requests and answers carried over the network so far.
    private func carried(by nodes: Node...) async throws -> Int {
        var bytes = 0
        for node in nodes {
            bytes += try await node.mailboxes().reduce(0) { $0 + $1.bytesLastDay }
        }
        return bytes
    }
}

/// The requests of looks, and the bytes of the objects that they put and got.
struct MailboxCost {
    var requests = 0
    var bytes = 0

    /// Adds looks; throws why one ended early.
    mutating func add(_ looks: [MailboxLook]) throws(ControlFailure) {
        for look in looks {
            if let failure = look.failure {
                throw .failed("a look into \(look.address) ended early: \(failure)")
            }
            requests += look.requests
            bytes += look.bytesPut + look.bytesGot
        }
    }
}
