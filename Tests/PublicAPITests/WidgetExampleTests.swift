import Linnet
import LinnetFaces
import LinnetMedication
import Testing

/// The example of the article about medicines and widgets, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct WidgetExampleTests {
    private let household = Household()

    private func shownFirst(_ folder: String, at now: Instant) async throws -> [String] {
        var shown: [String] = []
        func print(_ lines: [String]) { shown = lines }
        // shown in Sources/Linnet/Linnet.docc/widgets.md
        // The app: a medicine is added, and a snapshot is left for its widgets.
        let zone = try SystemZones.zone(named: "Europe/Berlin")
        let zones = ZoneTable([zone])
        let phone = try await Node.create(
            at: folder + "/phone", name: "Phone", kind: .phone, schema: .demonstration)
        try await phone.transaction { tx in
            var diary = MedicationDiary(tx.medication, at: now, in: zone.name, zones: zones)
            var draft = MedicationDraft()
            draft.name = .set("Vitamin D")
            var timing = TimingDraft()
            timing.times = [(hour: 8, minute: 0, label: "Morning")]
            try diary.add(draft, timing: timing, intent: "add-vitamin-d")
        }
        var share = try SharedDirectory.create(at: folder + "/share")
        let maker = SnapshotMaker(zone: zone, zones: zones)
        try share.publish(try await phone.sealedFaces(maker, asOf: now))

        // The widget, a process of its own: the entries of its timeline, and the first one drawn.
        let reading = SharedDirectory(at: folder + "/share").reading(at: now)
        let timeline = NextDoseProvider(reading).timeline(
            in: TimelineContext(family: .small), at: now)
        if let entry = timeline.entries.first {
            print(TextFace(entry.content, .small, at: now).lines)
        }
        // shown until here
        let picture = timeline.entries.first.map { PictureFace($0.content, .small, at: now).svg }
        #expect(picture?.contains("Vitamin D") == true)
        await phone.stop()
        return shown
    }

    @Test func `a widget shows what the app published, in under thirty lines`() async throws {
        let now = try #require(Instant("2026-11-20T06:00:00Z"))
        let lines = try await shownFirst(household.folder, at: now)
        #expect(lines.contains { $0.contains("Vitamin D") })
        #expect(lines.contains { $0.contains("08:00") })
        let code = try ShownCode.shown(by: "Sources/Linnet/Linnet.docc/widgets.md")
        #expect(code.count < 30)
    }

    @Test func `an application's tests need neither a home nor a directory`() throws {
        let now = try #require(Instant("2026-11-20T06:00:00Z"))
        let zone = try SystemZones.zone(named: "Europe/Berlin")
        let zones = ZoneTable([zone])
        // shown in Sources/Linnet/Linnet.docc/widgets-testing.md
        var diary = MedicationDiary(
            MemoryRepository(), at: now, in: "Europe/Berlin", zones: zones)
        var draft = MedicationDraft()
        draft.name = .set("Vitamin D")
        var timing = TimingDraft()
        timing.times = [(hour: 8, minute: 0, label: "")]
        let vitamin = try diary.add(draft, timing: timing, intent: "add").medication

        diary.now = now.advanced(byMinutes: 60)
        try diary.take(vitamin, intent: "take")
        let again = try diary.take(vitamin, intent: "take").isDone  // true: it was so before

        let maker = SnapshotMaker(zone: zone, zones: zones)
        var container = MemoryContainer()
        try container.publish(
            try maker.snapshot(of: try diary.book(), asOf: diary.now, frontier: ""))
        let entry = FaceSource(.adherence, container.reading(at: diary.now))
            .entry(at: diary.now)
        // shown until here
        #expect(again)
        guard case .adherence(let face) = entry.content else {
            Issue.record("\(entry.content)")
            return
        }
        #expect(face.week == FaceProgress(taken: 1, total: 1))
    }
}
