import LinnetMedication
import Testing

@testable import LinnetFaces

struct FaceListTests {
    private func line(_ minute: Int64, _ standing: FaceLine.Standing) -> FaceLine {
        FaceLine(
            name: "m\(minute)", dosage: "", form: "", clock: "", day: "Today", weekday: "Sat",
            time: FaceCase.at(hour: 8, minute: minute), label: "", standing: standing)
    }

    @Test func `what fits is shown whole, by its time`() {
        let list = FaceList([line(9, .upcoming), line(1, .taken), line(5, .due)], room: 3)
        #expect(list.shown.map(\.name) == ["m1", "m5", "m9"])
        #expect(list.more == 0 && list.rest.isEmpty)
    }

    @Test func `open doses come before settled ones where there is no room for all`() {
        let doses =
            (0..<30).map { line($0, .taken) } + (40..<70).reversed().map { line($0, .upcoming) }
            + [line(35, .missed)]
        let list = FaceList(doses, room: 8)
        #expect(list.shown.map(\.name) == ["m35", "m40", "m41", "m42", "m43", "m44", "m45", "m46"])
        #expect(list.rest == "+53 more")
    }

    @Test func `the latest settled doses fill up what the open ones leave`() {
        let doses = (0..<10).map { line($0, .taken) } + [line(20, .upcoming)]
        let list = FaceList(doses, room: 3)
        #expect(list.shown.map(\.name) == ["m8", "m9", "m20"])
        #expect(list.rest == "+8 more")
    }

    @Test func `a day without doses is not done, and one with a missed dose neither`() {
        var face = NextDoseFace()
        face.today = FaceProgress(taken: 0, total: 0)
        #expect(!face.isDone)
        #expect(FaceWords.nothing(face).title == "Nothing planned")
        face.today = FaceProgress(taken: 2, total: 3)
        face.missed = 1
        #expect(!face.isDone)
        #expect(FaceWords.brief(face) == "Missed")
        face.missed = 0
        #expect(face.isDone)
        #expect(FaceWords.nothing(face).title == "All done")
        face.today = nil
        #expect(!face.isDone)
    }

    @Test func `a ring that is not full stays open, round ends included`() throws {
        for taken in [96, 99] {
            let days = [FaceDay(day: 20_778, taken: taken, due: 100)]
            let reading = SnapshotReading.read(
                FaceCase.snapshot([FaceCase.dose("Metformin", 8, .taken)], days: days))
            let content = FaceSource(.adherence, reading).entry(at: FaceCase.noon).content
            let picture = PictureFace(content, .small, .light, at: FaceCase.noon)
            let rings = picture.scene.elements.compactMap { element in
                if case .ring(_, _, let radius, let line, let share, _) = element, share < 1 {
                    (1 - share) * 2 * Double.pi * radius - line
                } else {
                    nil
                }
            }
            #expect(try #require(rings.first) > 2)
        }
    }
}
