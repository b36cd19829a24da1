import LinnetFaces
import LinnetMedication
import Testing

struct AdherenceProviderTests {
    private let context = TimelineContext(family: .medium)

    @Test func `there is one entry, its turn to unknown, and it asks again after an hour`() {
        let timeline = AdherenceProvider(FaceCase.usual.reading).timeline(
            in: context, at: FaceCase.noon)
        #expect(timeline.entries.map(\.date) == [FaceCase.noon, FaceCase.at(hour: 15)])
        #expect(timeline.policy == .after(FaceCase.at(hour: 13)))
        guard case .adherence(let face) = timeline.entries.first?.content else {
            Issue.record("no adherence")
            return
        }
        #expect(face.week == FaceProgress(taken: 17, total: 19))
        #expect(face.week.percent == 89)
        #expect(
            timeline.entries.last?.content == .unknown(.adherence, .stale(lastKnown: "12:00")))
    }

    @Test func `a share is whole only when nothing is missing`() {
        #expect(FaceProgress(taken: 999, total: 1_000).percent == 99)
        #expect(FaceProgress(taken: 0, total: 0).percent == nil)
        #expect(FaceProgress(taken: 3, total: 2) == FaceProgress(taken: 3, total: 3))
    }

    @Test func `a snapshot that expires first bounds what is stated`() {
        var snapshot = FaceCase.snapshot(FaceCase.usualDoses)
        snapshot.expires = FaceCase.at(hour: 12, minute: 10)
        let timeline = AdherenceProvider(.read(snapshot)).timeline(
            in: context, at: FaceCase.noon)
        #expect(timeline.entries.map(\.date) == [FaceCase.noon, snapshot.expires])
    }
}
