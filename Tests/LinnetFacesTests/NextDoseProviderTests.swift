import LinnetFaces
import LinnetMedication
import Testing

struct NextDoseProviderTests {
    private let context = TimelineContext(family: .small)
    private static let hour: Int64 = 3_600_000

    private func timeline(
        _ doses: [FaceDose], at now: Instant = FaceCase.noon
    ) -> Timeline<FaceEntry> {
        NextDoseProvider(.read(FaceCase.snapshot(doses))).timeline(in: context, at: now)
    }

    private func face(_ entry: FaceEntry?) -> NextDoseFace? {
        if case .nextDose(let face) = entry?.content { face } else { nil }
    }

    @Test func `there is an entry for every hour of six, and it asks again after half an hour`() {
        let timeline = timeline([FaceCase.dose("Metformin", 24)])
        let dates = timeline.entries.map(\.date)
        for hour in 0...6 { #expect(dates.contains(FaceCase.at(hour: 12 + Int64(hour)))) }
        #expect(timeline.policy == .after(FaceCase.at(hour: 12, minute: 30)))
    }

    @Test func `entries keep five minutes between them, but for the turn to unknown`() {
        let doses = (0..<40).map { FaceCase.dose("Metformin", 12, minute: $0 * 7) }
        let entries = timeline(doses).entries
        let turns = entries.compactMap(\.staleAfter)
        for (earlier, later) in zip(entries, entries.dropFirst()) {
            let gap = later.date.milliseconds(since: earlier.date)
            #expect(gap >= 300_000 || turns.contains { $0 == earlier.date || $0 == later.date })
        }
    }

    @Test func `a dose becomes due at its time and missed a quarter of an hour later`() {
        let entries = timeline([FaceCase.dose("Metformin", 12, minute: 20)]).entries
        let at = { (minute: Int64) in
            face(entries.last { $0.date <= FaceCase.at(hour: 12, minute: minute) })
        }
        #expect(at(19)?.next?.standing == .upcoming)
        #expect(at(20)?.next?.standing == .due)
        #expect(at(34)?.next?.standing == .due)
        #expect(at(35)?.next == nil)
        #expect(at(35)?.missed == 1)
    }

    @Test func `what became of doses turns to unknown after an hour, without any reload`() {
        let entries = timeline([
            FaceCase.dose("Metformin", 8, .taken), FaceCase.dose("Ramipril", 12, minute: 55),
            FaceCase.dose("Metformin", 20),
        ]).entries
        let before = face(entries.last { $0.date < FaceCase.at(hour: 13) })
        let after = face(entries.last { $0.date <= FaceCase.at(hour: 13) })
        #expect(before?.today == FaceProgress(taken: 1, total: 3))
        #expect(before?.next?.standing == .due)
        #expect(after?.today == nil)
        #expect(after?.unsettled == 1)
        #expect(after?.missed == 0)
        #expect(after?.next?.name == "Metformin")
    }

    @Test func `after six hours nothing is stated any more`() {
        let entries = timeline([FaceCase.dose("Metformin", 20)]).entries
        #expect(entries.last?.date == FaceCase.at(hour: 18))
        #expect(entries.last?.content == .unknown(.nextDose, .stale(lastKnown: "12:00")))
        #expect(entries.last?.staleAfter == nil)
        for entry in entries.dropLast() {
            #expect(entry.asOf == FaceCase.noon)
            #expect(entry.staleAfter.map { $0 > entry.date } == true)
        }
    }

    @Test func `every entry ends before its bound`() {
        for minute in stride(from: Int64(0), to: 700, by: 13) {
            let now = FaceCase.at(hour: 12, minute: minute)
            let entries = timeline(FaceCase.usualDoses, at: now).entries
            #expect(!entries.isEmpty)
            for (index, entry) in entries.enumerated() {
                guard let bound = entry.staleAfter else { continue }
                #expect(bound > entry.date)
                #expect(index + 1 < entries.count && entries[index + 1].date <= bound)
            }
        }
    }

    @Test func `a placeholder is made at once and without anybody's data`() {
        let provider = NextDoseProvider(FaceCase.usual.reading)
        let entry = provider.placeholder(in: context, at: FaceCase.noon)
        #expect(entry.content == .placeholder(.nextDose))
    }

    @Test func `the gallery shows sample data, a passing situation the person's own`() {
        let provider = NextDoseProvider(FaceCase.usual.reading)
        let sample = provider.snapshot(
            in: TimelineContext(family: .small, isPreview: true), at: FaceCase.noon)
        #expect(face(sample)?.next?.name == "Ibuprofen")
        #expect(sample.staleAfter == nil)
        let own = provider.snapshot(in: context, at: FaceCase.noon)
        #expect(face(own)?.next?.name == "Metformin")
    }

    @Test func `a countdown runs on while one entry is up`() {
        let entry = timeline([FaceCase.dose("Metformin", 14)]).entries[0]
        let drawn = [12, 12, 13].enumerated().map { index, hour in
            TextFace(
                entry.content, .small,
                at: FaceCase.at(hour: Int64(hour), minute: index == 1 ? 30 : 0)
            ).lines.joined()
        }
        #expect(drawn[0].contains("in 2 h "))
        #expect(drawn[1].contains("in 1 h 30 min"))
        #expect(drawn[2].contains("in 1 h "))
    }

    @Test func `without anything to believe there is one entry that states nothing`() {
        for (reading, content) in [
            (SnapshotReading.locked, FaceContent.locked(.nextDose)),
            (.refused(.badSignature), .unknown(.nextDose, .refused(.badSignature))),
        ] {
            let timeline = NextDoseProvider(reading).timeline(in: context, at: FaceCase.noon)
            #expect(Set(timeline.entries.map { "\($0.content)" }) == ["\(content)"])
        }
    }
}
