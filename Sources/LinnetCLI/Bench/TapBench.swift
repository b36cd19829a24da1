import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetFaces
import LinnetMedication

/// Measures the time from a tap on the watch to the phone's face, over TCP on loopback and over the
/// carrier without sockets.
enum TapBench {
    private static let zoneName = "Europe/Berlin"

    static func run(in directory: String, count: Int) async throws -> Figures {
        var figures = Figures(name: "tap on the watch to the phone's face")
        var loopback = NodeOptions.loopback
        let carrier = NodeOptions.companionLink(directory + "/link")
        for (name, isCarrier) in [("loopback", false), ("carrier", true)] {
            let home = "\(directory)/\(name)"
            let phone = try await Node.create(
                at: home + "-phone", name: "Phone", kind: .phone, schema: .demonstration)
            let watch = try await Node.createToJoin(
                at: home + "-watch", name: "Watch", kind: .watch)
            let port = try await phone.start(isCarrier ? carrier : .loopback) ?? 0
            loopback.peers = ["127.0.0.1:\(port)"]
            try await watch.start(isCarrier ? carrier : loopback)
            let invitation = try await phone.offerPairing { _ in true }
            if isCarrier {
                try await watch.join(code: invitation.code)
            } else {
                try await watch.join(code: invitation.code, at: invitation.address)
            }
            let samples = try await taps(
                count, phone, Gateway.attached(home + "-phone"), Gateway.attached(home + "-watch"))
            figures.add("\(name) change p50 µs", Figures.percentile(0.5, of: samples.map(\.change)))
            figures.add("\(name) face p50 µs", Figures.percentile(0.5, of: samples.map(\.face)))
            figures.add("\(name) face p99 µs", Figures.percentile(0.99, of: samples.map(\.face)))
            await watch.stop()
            await phone.stop()
        }
        return figures
    }

    private static func taps(
        _ count: Int, _ phone: Node, _ phoneHome: Gateway, _ watchHome: Gateway
    ) async throws -> [(change: Double, face: Double)] {
        let zone = try ZoneFiles.zone(named: zoneName)
        let zones = ZoneTable([zone])
        let medication = try await addMedicine(phoneHome, zone, zones)
        try await phone.sync(timeout: .seconds(20))
        var changes = try await phone.changes(in: Schema.doseEvent.name).makeAsyncIterator()
        var samples: [(change: Double, face: Double)] = []
        for number in 0..<count {
            let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
            let planner = try MedicationPlanner(
                book: try await BookReader.book(watchHome), now: now, zone: zone.name,
                zones: zones, intent: "tap \(number)")
            var note = DoseNote()
            note.isAdditional = true
            let plan = try planner.take(medication, note)
            let began = ContinuousClock.now
            _ = try await watchHome.write(plan.writes, intent: nil)
            guard let change = await changes.next() else { break }
            let seen = ContinuousClock.now
            let snapshot = try await HomeFaces.snapshot(phoneHome, asOf: now, zone: zone)
            let content = FaceMaker(snapshot).entry(.phoneHome, at: now).content
            _ = TextFace(content, .phone, at: now).lines
            samples.append(
                ((seen - began).microseconds, (ContinuousClock.now - began).microseconds))
            guard change.id == plan.event?.description, snapshot.facts.history.first?.time == now
            else { throw ControlFailure.failed("the phone's face does not show the tap") }
        }
        return samples
    }

    /// Adds a medicine that is taken as needed, and returns its identifier.
    static func addMedicine(
        _ home: Gateway, _ zone: ZoneRules, _ zones: ZoneTable
    ) async throws -> RecordID {
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        let planner = try MedicationPlanner(
            book: MedicationBook(), now: now, zone: zone.name, zones: zones, intent: "bench")
        var draft = MedicationDraft()
        draft.name = .set("Ibuprofen")
        let plan = try planner.add(draft)
        _ = try await home.write(plan.writes, intent: nil)
        return plan.medication
    }
}

extension Gateway {
    /// Returns the home of a node that runs; throws when no node answers there.
    static func attached(_ path: String) throws(ControlFailure) -> Gateway {
        guard let gateway = try running(at: path) else {
            throw .failed("the node of \(path) does not answer")
        }
        return gateway
    }
}
