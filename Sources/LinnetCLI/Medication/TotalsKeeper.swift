import Linnet
import LinnetCRDT
import LinnetMedication
import LinnetWire

/// Leaves monthly totals while `linnet run` serves a home that holds all months.
struct TotalsKeeper {
    /// How often they are looked at although nobody was met.
    private static let interval = Duration.seconds(3_600)
    /// Devices that meet in quick succession are one occasion: all records are read for each.
    private static let rest = Duration.seconds(600)

    private let occasions: AsyncStream<Void>
    private let occasion: AsyncStream<Void>.Continuation

    init() {
        (occasions, occasion) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// This device is in step with another one: what that one knew is known here.
    func isInStep() { occasion.yield() }

    /// Goes on until it is cancelled, or the home turns out to keep no totals.
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
                // A node that ends answers with errors until it has ended.
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

    /// False when this home has no totals to leave.
    private static func leave(_ gateway: Gateway) async throws(ControlFailure) -> Bool {
        let schema = try await gateway.schemaFile().schema
        guard schema.collection(id: Schema.doseTotal.id) != nil else { return false }
        // A watch does not read the records that it holds for nothing.
        let scopes = try await BookReader.scopes(gateway)
        guard BookReader.coverage(scopes, schema).isEverything else { return true }
        let book = try await BookReader.book(gateway)
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        _ = try await MedTotals.leave(book, ZoneFiles.table(for: book), now, gateway)
        return true
    }
}
