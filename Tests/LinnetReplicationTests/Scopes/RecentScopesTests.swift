import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct RecentScopesTests {
    private func schema() throws -> Schema {
        let text = Field(id: 1, name: "text", type: .text)
        return try Schema(
            version: 1,
            collections: [
                Collection(id: 2_000, name: "note", scope: "notes", fields: [text]),
                Collection(id: 2_001, name: "visit", scope: .optional("visits"), fields: [text]),
                .log(id: 2_002, name: "dose", scope: .divided("log", by: .month), fields: [text]),
                .log(id: 2_003, name: "day", scope: .divided("days", by: .day), fields: [text]),
                .log(id: 2_004, name: "year", scope: .divided("years", by: .year), fields: [text]),
                .log(id: 2_005, name: "part", scope: .divided("p", by: .segment), fields: [text]),
            ])
    }

    private func names(at text: String) throws -> [String] {
        let milliseconds = try #require(CivilTime.parseInstant(text))
        return RecentScopes.names(
            of: try schema(), at: Moment(wallMilliseconds: milliseconds, uptimeMilliseconds: 0))
    }

    @Test func `this period and the one before are recent, the next one on the eve`() throws {
        let names = try names(at: "2026-01-15T12:00:00Z")
        #expect(names.filter { $0.hasPrefix("log/") } == ["log/2025-12", "log/2026-01"])
        #expect(names.filter { $0.hasPrefix("years/") } == ["years/2025", "years/2026"])
        let days = names.filter { $0.hasPrefix("days/") }
        #expect(days.first == "days/2025-12-01" && days.last == "days/2026-01-16")
        #expect(!names.contains { $0.hasPrefix("p/") })
        let eve = try self.names(at: "2026-12-31T00:00:00Z")
        #expect(
            eve.filter { $0.hasPrefix("log/") } == ["log/2026-11", "log/2026-12", "log/2027-01"])
    }

    @Test func `a clock at either end of time is no trap`() throws {
        for milliseconds in [Int64.min / 2, -1, 0, 1 << 47] {
            let now = Moment(wallMilliseconds: milliseconds, uptimeMilliseconds: 0)
            #expect(!RecentScopes.names(of: try schema(), at: now).isEmpty)
        }
    }

    @Test func `only time-divided scopes count`() throws {
        let schema = try schema()
        #expect(RecentScopes.covers("log/2026-01", in: schema))
        #expect(!RecentScopes.covers("visits", in: schema))
        #expect(!RecentScopes.covers("p/a", in: schema))
        #expect(RecentScopes.all(of: schema).contains("log/1999-12"))
    }
}
