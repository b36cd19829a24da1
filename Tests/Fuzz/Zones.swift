import LinnetCRDT
import LinnetMedication

/// Files of time zones (RFC 9636), and what is computed with those that can be read.
func fuzz(_ input: [UInt8]) {
    guard let zone = try? ZoneRules(name: "Fuzz/Zone", file: input) else { return }
    for milliseconds in instants {
        let instant = Instant(milliseconds: milliseconds)
        _ = (zone.abbreviation(at: instant), zone.isDaylight(at: instant))
        let local = zone.local(at: instant)
        require(local.hour < 24 && local.minute < 60, "a time of day is one")
        let again = zone.instant(day: local.day, hour: local.hour, minute: local.minute)
        _ = again.map { zone.offsetSeconds(at: $0) }
    }
    use(zone)
}

/// From before the first transition of any file to the ends of the range.
private let instants: [Int64] = [
    .min, -100_000_000_000_000, -2_208_988_800_000, -1, 0, 951_782_400_000, 1_711_846_800_000,
    1_795_255_200_000, 4_102_444_800_000, 100_000_000_000_000, .max,
]

/// The doses of a fortnight by the clocks of the zone.
private func use(_ zone: ZoneRules) {
    guard let id = RecordID("s"),
        let time = try? DoseTime(hour: 2, minute: 30),
        let timing = try? Timing(pattern: .times([time]), referenceZone: zone.name)
    else { return }
    let schedule = Schedule(id: id, medication: id, timing: timing)
    for start in [1_711_500_000_000, 1_729_900_000_000] as [Int64] {
        let range = Instant(milliseconds: start)..<Instant(milliseconds: start + 1_209_600_000)
        let doses = (try? schedule.occurrences(in: range, zones: ZoneTable([zone]))) ?? []
        require(
            zip(doses, doses.dropFirst()).allSatisfy { $0.scheduled < $1.scheduled },
            "doses come one after the other")
        require(doses.count <= 32, "a fortnight has no more doses than days")
    }
}

func seeds() -> [[UInt8]] {
    [footer("CET-1CEST,M3.5.0,M10.5.0/3"), footer("<+03>-3"), footer("EST5EDT,J60/26,300/-167")]
}

/// A file of version 3 with one type, two transitions and a footer.
private func footer(_ rule: String) -> [UInt8] {
    let header: (UInt8, UInt8, UInt8) -> [UInt8] = { times, types, characters in
        Array("TZif3".utf8) + [UInt8](repeating: 0, count: 15) + [0, 0, 0, 0, 0, 0, 0, 0]
            + [0, 0, 0, 0, 0, 0, 0, times, 0, 0, 0, types, 0, 0, 0, characters]
    }
    let times: [UInt8] = [0, 0, 0, 0, 0x66, 0, 0, 0, 0, 0, 0, 0, 0x67, 0, 0, 0]
    let types: [UInt8] = [0, 0, 0x0e, 0x10, 0, 0, 0, 0, 0x1c, 0x20, 1, 4]
    return header(0, 1, 1) + [0, 0, 0, 0, 0, 0, 0] + header(2, 2, 8) + times + [0, 1] + types
        + Array("CET\0CES\0\n".utf8) + Array(rule.utf8) + [0x0a]
}
