import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetFaces
import LinnetMedication
import Synchronization

/// Keeps what others draw faces from while `linnet run` serves a home: the snapshot for widgets,
/// and on a phone the context of its watch.
struct FacesKeeper: Sendable {
    /// The time between two looks at the clock. A machine that slept is late by this much.
    private static let tick = Duration.seconds(5)
    /// The shortest pause after a look.
    private static let rest = Duration.milliseconds(1_500)
    /// The pause after a look, in lengths of it, since each reads all records.
    private static let restLengths = 10
    /// The collections from which faces are made.
    private static let collections = Set(Schema.demonstration.collections.map(\.name))
        .subtracting([Schema.devices.name])

    private let node: Node
    private let home: String
    private let share: WidgetShare?
    private let output: Output
    private let occasions: AsyncStream<Void>
    private let occasion: AsyncStream<Void>.Continuation

    /// Joins the parts.
    ///
    /// - Parameter share: the directory that widgets read; nil where there are none.
    init(_ node: Node, _ home: String, share: WidgetShare?, _ output: Output) {
        (self.node, self.home, self.share, self.output) = (node, home, share, output)
        (occasions, occasion) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes that anything may be otherwise.
    func look() { occasion.yield() }

    /// Notes that records changed.
    func recordsChanged(_ places: [RecordPlace]) {
        if places.contains(where: { Self.collections.contains($0.collection) }) { look() }
    }

    /// Keeps both until it is cancelled, or there turns out to be nothing to keep.
    func run() async {
        let isPhone = await node.kind == DeviceKind.phone.rawValue
        guard share != nil || isPhone else { return }
        let due = Due()
        let occasion = occasion
        let clock = Task {
            while !Task.isCancelled {
                if SystemClock.now().wallMilliseconds >= due.milliseconds { occasion.yield() }
                do { try await Task.sleep(for: Self.tick) } catch { return }
            }
        }
        defer { clock.cancel() }
        var complaint = ""
        for await _ in occasions {
            if await node.isLocked || node.awaitsSchema { continue }
            let began = ContinuousClock.now
            do throws(ControlFailure) {
                guard try await keepsMedicines() else { return }
                due.set(try await keep(isPhone: isPhone))
                complaint = ""
            } catch {
                if Task.isCancelled { return }
                if complaint != error.message { complain(error) }
                complaint = error.message
            }
            let pause = max(Self.rest, (ContinuousClock.now - began) * Self.restLengths)
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }

    /// The moment of the next look, for the clock.
    private final class Due: Sendable {
        private let moment = Mutex<Int64>(0)

        var milliseconds: Int64 { moment.withLock { $0 } }

        func set(_ milliseconds: Int64) { moment.withLock { $0 = milliseconds } }
    }

    private func keepsMedicines() async throws(ControlFailure) -> Bool {
        try await Gateway(ofServing: node, isUse: false).schemaFile().schema
            .collection(id: Schema.doseEvent.id) != nil
    }

    /// Leaves and pushes what is so now; returns when it grows old, in Unix milliseconds.
    private func keep(isPhone: Bool) async throws(ControlFailure) -> Int64 {
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        let next = now.advanced(byMilliseconds: FaceFreshness().renewalMilliseconds).milliseconds
        // Without a watch there is nothing to read for.
        var hasWatch = false
        if isPhone { hasWatch = await node.companion.isPaired }
        guard share != nil || hasWatch else { return next }
        let zone = try ZoneFiles.zone(named: ZoneFiles.current)
        let snapshot = try await HomeFaces.snapshot(
            Gateway(ofServing: node, isUse: false), asOf: now, zone: zone)
        let sealed = try WidgetShare.sealed(snapshot, home)
        if let share {
            try share.publish(sealed, isInForeground: false)
            RunLog.write(
                ["event": "faces", "for": "widgets", "asOf": .text(now.description)],
                "left a snapshot for widgets", output, .debug)
        }
        if hasWatch { try await push(sealed, now) }
        return next
    }

    private func push(_ sealed: SealedSnapshot, _ now: Instant) async throws(ControlFailure) {
        do throws(CompanionSessionError) {
            guard try await node.pushFaces(sealed) else { return }
            RunLog.write(
                ["event": "faces", "for": "watch", "asOf": .text(now.description)],
                "put the faces into the watch's context", output, .debug)
        } catch .deviceNotPaired {
            return
        } catch .watchAppNotInstalled {
            return
        } catch {
            throw ControlFailure(.failed, "the watch's context: \(error)")
        }
    }

    private func complain(_ error: ControlFailure) {
        RunLog.write(
            [
                "event": "warning", "warning": "faces", "device": .null,
                "text": .text(error.message),
            ], "warning: faces are not up to date: \(error.message)", output, .warning)
    }
}
