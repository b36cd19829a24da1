import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Schedules and times for tests.
enum TestDoses {
    static func id(_ text: String) throws -> RecordID {
        try #require(RecordID(text))
    }

    static func range(_ from: String, _ until: String) throws -> Range<Instant> {
        let start = try #require(Instant(from))
        return start..<(try #require(Instant(until)))
    }

    static func timing(
        _ times: [String], _ zone: String, since: String? = nil
    ) throws -> Timing {
        try Timing(
            pattern: Pattern(reading: times.joined(separator: ",")), referenceZone: zone,
            since: since.flatMap(Instant.init))
    }

    static func schedule(
        _ times: [String], _ zone: String, since: String? = nil,
        earlier: [(until: String, times: String, zone: String)] = []
    ) throws -> Schedule {
        Schedule(
            id: try id("s"), medication: try id("m"),
            timing: try timing(times, zone, since: since),
            earlier: try earlier.map {
                Schedule.Earlier(
                    until: try #require(Instant($0.until)), timing: try timing([$0.times], $0.zone))
            })
    }
}
