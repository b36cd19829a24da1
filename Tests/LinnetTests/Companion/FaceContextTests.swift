import Linnet
import LinnetFaces
import LinnetMedication
import Testing

/// The faces that a phone puts into the context of its watch, between two whole nodes.
@Suite(.timeLimit(.minutes(5)))
struct FaceContextTests {
    private let homes = LaneHomes()
    private let now = Instant(milliseconds: 1_795_258_800_000)

    private func sealed(_ phone: Node, later: Int64 = 0) async throws -> SealedSnapshot {
        let zone = try SystemZones.zone(named: "Europe/Berlin")
        let maker = SnapshotMaker(zone: zone, zones: ZoneTable([zone]))
        return try await phone.sealedFaces(maker, asOf: now.advanced(byMilliseconds: later))
    }

    private func plan(_ phone: Node, _ times: String) async throws {
        try await phone.set(
            "medication", "m",
            [
                "name": "Metformin", "dosage.amount": .decimal(Dosage.onePiece),
                "dosage.unit": "mg",
                "isActive": true,
            ])
        try await phone.set(
            "schedule", "s",
            [
                "medication": "m", "timing.times": .text(times),
                "timing.referenceTimeZone": "Europe/Berlin", "isActive": true,
            ])
    }

    @Test func `the watch draws a face from what the phone pushed`() async throws {
        let (phone, watch) = try await homes.pair()
        try await phone.companion.updateApplicationContext(["own": 1])
        try await plan(phone.node, "08:00,20:00")
        #expect(try await phone.node.pushFaces(sealed(phone.node)))
        let contexts = await watch.wait(for: 1) { event in
            event.context.flatMap { $0[FaceContext.name] == nil ? nil : $0 }
        }
        let context = try #require(contexts.last)
        #expect(context["own"] == 1, "what the app put there stays")
        let reading = FaceContext.reading(of: context, at: now)
        guard case .nextDose(let face) = FaceSource(.nextDose, reading).entry(at: now).content
        else {
            Issue.record("no face: \(reading)")
            return
        }
        #expect(face.next?.name == "Metformin")
        await phone.stop()
        await watch.stop()
    }

    @Test func `what states the same is not pushed again, and a change is`() async throws {
        let (phone, watch) = try await homes.pair()
        try await plan(phone.node, "08:00,20:00")
        #expect(try await phone.node.pushFaces(sealed(phone.node)))
        #expect(try await !phone.node.pushFaces(sealed(phone.node, later: 60_000)))
        try await plan(phone.node, "09:00,20:00")
        #expect(try await phone.node.pushFaces(sealed(phone.node, later: 120_000)))
        await phone.stop()
        await watch.stop()
    }

    @Test func `a context without faces, or with altered ones, gives a reason`() {
        #expect(FaceContext.reading(of: [:], at: now) == .refused(.missing))
        let altered: CompanionDictionary = [
            FaceContext.name: .dictionary(["snapshot": .data([1, 2]), "key": .data([3])])
        ]
        guard case .refused = FaceContext.reading(of: altered, at: now) else {
            Issue.record("it was believed")
            return
        }
    }

    @Test func `without a watch nothing is pushed`() async throws {
        let phone = try await Node.create(at: homes("alone"), name: "Phone", kind: .phone)
        try await plan(phone, "08:00")
        let snapshot = try await sealed(phone)
        await #expect(throws: CompanionSessionError.deviceNotPaired) {
            try await phone.pushFaces(snapshot)
        }
        await phone.stop()
    }
}
