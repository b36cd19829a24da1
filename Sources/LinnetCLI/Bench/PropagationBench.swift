import Linnet
import LinnetMedication

/// Measures the time from a write on one device until another one shows it, over loopback, beside
/// the round trip of a bare TCP connection.
enum PropagationBench {
    static func run(in directory: String, count: Int) async throws -> Figures {
        let echo = try EchoPeer()
        let trips = try echo.roundTrips(count)
        let writer = try await Node.create(
            at: directory + "/writer", name: "Writer", kind: .laptop, schema: .demonstration)
        let reader = try await Node.createToJoin(
            at: directory + "/reader", name: "Reader", kind: .watch)
        let port = try await writer.start(.loopback) ?? 0
        let invitation = try await writer.offerPairing { _ in true }
        var options = NodeOptions.loopback
        options.peers = ["127.0.0.1:\(port)"]
        try await reader.start(options)
        try await reader.join(code: invitation.code, at: invitation.address)
        try await reader.sync(timeout: .seconds(20))
        let samples = try await propagate(from: writer, to: reader, count: count)
        await reader.stop()
        await writer.stop()
        var figures = Figures(name: "propagation")
        figures.add("p50Microseconds", Figures.percentile(0.5, of: samples))
        figures.add("p99Microseconds", Figures.percentile(0.99, of: samples))
        figures.add("tcpP50Microseconds", Figures.percentile(0.5, of: trips))
        figures.add("tcpP99Microseconds", Figures.percentile(0.99, of: trips))
        figures.add(
            "ratioP50",
            Figures.percentile(0.5, of: samples) / max(Figures.percentile(0.5, of: trips), 1))
        return figures
    }

    private static func propagate(
        from writer: Node, to reader: Node, count: Int
    ) async throws -> [Double] {
        var changes = try await reader.changes(in: "medication").makeAsyncIterator()
        var samples: [Double] = []
        for number in 0..<count {
            let start = ContinuousClock.now
            try await writer.set("medication", "bench", ["name": .text("value \(number)")])
            guard await changes.next() != nil else { break }
            samples.append((ContinuousClock.now - start).microseconds)
        }
        return samples
    }
}
