import LinnetCRDT
import Testing

@testable import LinnetMedication

struct TimingTextTests {
    @Test func `a timing is read as it was written`() throws {
        let since = try #require(Instant("2026-11-22T10:00:00Z"))
        let adjustment = try #require(RecordID("2026-11/=;%"))
        let timing = try Timing(
            pattern: .times([
                DoseTime(hour: 20, minute: 5, label: "100 %, late; = last"),
                DoseTime(hour: 8, minute: 0),
            ]),
            daysOfWeek: DaysOfWeek([.monday, .sunday]), referenceZone: "Europe/Berlin",
            shift: GradualShift(
                firstDay: #require(Day("2026-11-23")), minutes: -540, minutesPerDay: 60),
            since: since, adjustment: adjustment)
        #expect(
            timing.text
                == "times=08:00,20:05 100 %25%2C late%3B %3D last;days=65;zone=Europe/Berlin;"
                + "shift=2026-11-23 -540 60;since=2026-11-22T10:00:00.000Z;"
                + "adjustment=2026-11/%3D%3B%25")
        #expect(try Timing(reading: timing.text) == timing)
    }

    @Test func `intervals and doses as needed are read as they were written`() throws {
        let anchor = try #require(Instant("2026-11-21T08:00:00Z"))
        for pattern in [Pattern.interval(hours: 36, anchor: anchor), .asNeeded] {
            let timing = try Timing(pattern: pattern, referenceZone: "Asia/Tokyo")
            #expect(try Timing(reading: timing.text) == timing)
        }
    }

    @Test func `parts of newer versions are passed over`() throws {
        #expect(
            try Timing(reading: "times=08:00;zone=Asia/Tokyo;meal=before").referenceZone
                == "Asia/Tokyo")
    }

    @Test(arguments: [
        "", "times=08:00", "zone=Asia/Tokyo", "times=8:00;zone=A", "times=24:00;zone=A",
        "times=08:00,08:00;zone=A", "times=08:00;times=09:00;zone=A", "times=08:00x;zone=A",
        "times=-1:00;zone=A", "times=+8:00;zone=A",
        "times=08:00;zone=A;days=256", "times=08:00;zone=A;days=x",
        "times=08:00;zone=%4", "times=08:00;zone=%FF", "times=every 0 h from x;zone=A",
        "times=every 9999 h from 2026-11-21T08:00:00Z;zone=A", "times=08:00;zone=A;shift=1 2 3",
        "times=08:00;zone=A;shift=2026-11-23 9000 60", "times=08:00;zone=A;since=today",
        "times=as needed;zone=A;shift=2026-11-23 60 60", "times=08:00;zone=A;adjustment=",
        "times=08:00,08:30;zone=A;shift=2026-11-23 60 60", "=;zone=A", "times=;zone=A",
    ])
    func `a text that is no timing is refused`(text: String) {
        #expect(throws: MedicationError.self) { try Timing(reading: text) }
    }
}
