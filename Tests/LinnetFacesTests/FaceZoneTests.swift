import LinnetFaces
import LinnetMedication
import Testing

struct FaceZoneTests {
    private let paris = FaceZone(
        name: "Europe/Paris",
        spans: [
            FaceZone.Span(
                from: Instant(milliseconds: 0), offsetSeconds: 7_200, abbreviation: "CEST"),
            FaceZone.Span(
                from: Instant(milliseconds: 1_792_890_000_000), offsetSeconds: 3_600,
                abbreviation: "CET"),
        ])

    @Test func `a clock follows the offset of its instant`() {
        let change = Instant(milliseconds: 1_792_890_000_000)
        #expect(paris.clock(at: Instant(milliseconds: change.milliseconds - 1)) == "02:59")
        #expect(paris.clock(at: change) == "02:00")
        #expect(paris.span(at: change).abbreviation == "CET")
    }

    @Test func `a day is named from where one stands`() {
        let now = Instant(milliseconds: 1_792_890_000_000)
        let later = { (days: Int64) in
            Instant(milliseconds: now.milliseconds + days * 86_400_000)
        }
        #expect(paris.dayWord(of: now, seenFrom: now) == "Today")
        #expect(paris.dayWord(of: later(1), seenFrom: now) == "Tomorrow")
        #expect(paris.dayWord(of: later(-1), seenFrom: now) == "Yesterday")
        #expect(paris.dayWord(of: later(3), seenFrom: now) == "Wed")
    }

    @Test func `a time before 1970 and one without spans have a clock`() {
        let utc = FaceZone(name: "UTC", spans: [])
        #expect(utc.clock(at: Instant(milliseconds: -1)) == "23:59")
        #expect(utc.local(at: Instant(milliseconds: -1)).day == -1)
        #expect(FaceZone.weekday(-1) == "Wed")
        #expect(FaceZone.dateWords(20_778) == "Sat 21 Nov")
    }
}
