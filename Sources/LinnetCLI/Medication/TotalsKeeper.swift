import Linnet
import LinnetCRDT
import LinnetMedication
import LinnetWire

/// Leaves monthly totals while `linnet run` serves a home that holds all months.
struct TotalsKeeper {
    /// The time between two looks at the totals when no device was met.
    private static let interval = Duration.seconds(3_600)
    /// The pause after each look. Devices that meet in quick succession cause one look, since each
    /// reads all records.
    private static let rest = Duration.seconds(600)

    private let occasions: AsyncStream<Void>
    private let occasion: AsyncStream<Void>.Continuation

    init() {
        (occasions, occasion) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes that this device is in step with another one, so that it knows what that one knew.
    func isInStep() { occasion.yield() }

    /// Leaves totals until it is cancelled, or the home turns out to keep none.
    func run(_ node: Node, _ output: Output) async {
        let gateway = Gateway(of: node)
        let (hourly, occasion) = (Self.interval, occasion)
        let clock = Task {
            while !Task.isCancelled {
                occasion.yield()
                try? await Task.sleep(for: hourly)
            }
        }
        defer { clock.cancel() }
        for await _ in occasions {
            if await node.isLocked { continue }
            do throws(ControlFailure) {
                guard try await Self.leave(gateway) else { return }
            } catch {
                // A node that is ending answers with errors until it has ended.
                try? await Task.sleep(for: .seconds(1))
                if Task.isCancelled { return }
                RunLog.write(
                    [
                        "event": "warning", "warning": "totals", "device": .null,
                        "text": .text(error.message),
                    ], "warning: the monthly totals are not up to date: \(error.message)", output,
                    .warning)
            }
            try? await Task.sleep(for: Self.rest)
            if Task.isCancelled { return }
        }
    }

    /// Leaves the totals; returns false when the schema of this home has none.
    private static func leave(_ gateway: Gateway) async throws(ControlFailure) -> Bool {
        let schema = try await gateway.schemaFile().schema
        guard schema.collection(id: Schema.doseTotal.id) != nil else { return false }
        // A device that lacks months can leave no totals: it is spared the reading of all records.
        let scopes = try await BookReader.scopes(gateway)
        guard BookReader.coverage(scopes, schema).isEverything else { return true }
        let book = try await BookReader.book(gateway)
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        _ = try await MedTotals.leave(book, ZoneFiles.table(for: book), now, gateway)
        return true
    }
}
