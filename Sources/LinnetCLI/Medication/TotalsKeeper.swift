import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Leaves monthly totals while `linnet run` serves a home that holds all months.
struct TotalsKeeper {
    /// The time between two looks at the totals when no device was met.
    private static let interval = Duration.seconds(3_600)
    /// The pause after each look. Devices that meet in quick succession cause one look, since each
    /// reads all records.
    private static let rest = Duration.seconds(600)

    /// The pause after a look during which something was written; it doubles up to ``rest``.
    private static let shortRest = Duration.seconds(1)

    /// The outcome of a look at the totals.
    private enum Look {
        /// The home keeps no totals.
        case needless
        case done
        /// Something was written during the look, so that it may have seen a part of it.
        case disturbed
    }

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
                do { try await Task.sleep(for: hourly) } catch { return }
            }
        }
        defer { clock.cancel() }
        var shortRest = Self.shortRest
        for await _ in occasions {
            if await node.isLocked { continue }
            var pause = Self.rest
            do throws(ControlFailure) {
                switch try await Self.look(node, gateway) {
                case .needless: return
                case .done: shortRest = Self.shortRest
                case .disturbed:
                    pause = shortRest
                    shortRest = min(shortRest * 2, Self.rest)
                    occasion.yield()
                }
            } catch {
                // A node that is ending answers with errors until it has ended.
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
                RunLog.write(
                    [
                        "event": "warning", "warning": "totals", "device": .null,
                        "text": .text(error.message),
                    ], "warning: the monthly totals are not up to date: \(error.message)", output,
                    .warning)
            }
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }

    /// Leaves the totals.
    private static func look(_ node: Node, _ gateway: Gateway) async throws(ControlFailure) -> Look
    {
        guard try await mayWrite(node) else { return .done }
        let schema = try await gateway.schemaFile().schema
        guard schema.collection(id: Schema.doseTotal.id) != nil else { return .needless }
        // A device that lacks months can leave no totals: it is spared the reading of all records.
        let scopes = try await gateway.ask(ScopesRequest())
        guard BookReader.coverage(scopes, schema).isEverything else { return .done }
        let before = try await batches(node)
        let book = try await BookReader.bookOfDoses(gateway)
        guard try await batches(node) == before else { return .disturbed }
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        _ = try await MedTotals.leave(book, ZoneFiles.table(for: book), now, gateway)
        return .done
    }

    /// Returns true when the node's role lets it leave totals.
    private static func mayWrite(_ node: Node) async throws(ControlFailure) -> Bool {
        do throws(LinnetError) {
            let role = try await node.status().devices.first(where: \.isSelf)?.role
            return role == .admin || role == .member
        } catch {
            throw ControlFailure(error)
        }
    }

    /// Returns the number of batches that the node has stored.
    private static func batches(_ node: Node) async throws(ControlFailure) -> Int {
        do throws(LinnetError) {
            return try await node.status().batches
        } catch {
            throw ControlFailure(error)
        }
    }
}
