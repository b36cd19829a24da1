import LinnetCRDT
import LinnetMedication
import Testing

@Suite struct LogCoverageTests {
    private let months = ScopeRule.divided("log", by: .month)
    private let scopes = ["meds", "log/2026-10", "photos/2026-11"]

    @Test func `a log by months is covered as its scopes are held`() throws {
        let october = try #require(Month("2026-10"))
        #expect(
            LogCoverage(of: months, holdsOthers: true, scopes) == LogCoverage(except: [october]))
        #expect(
            LogCoverage(of: months, holdsOthers: false, scopes) == LogCoverage(only: [october]))
        #expect(LogCoverage(of: months, holdsOthers: true, ["meds"]).isEverything)
        #expect(
            LogCoverage(of: months, holdsOthers: true, scopes, isInStep: false)
                == LogCoverage(only: []))
        #expect(LogCoverage(of: nil, holdsOthers: false, []).isEverything)
    }

    @Test func `a log that is divided otherwise is covered whole or not at all`() {
        let days = ScopeRule.divided("log", by: .day)
        #expect(LogCoverage(of: days, holdsOthers: true, ["meds"]).isEverything)
        #expect(LogCoverage(of: days, holdsOthers: true, ["log/2026-10-01"]) == .init(only: []))
        #expect(LogCoverage(of: days, holdsOthers: false, []) == .init(only: []))
        #expect(LogCoverage(of: .always("log"), holdsOthers: false, []).isEverything)
    }
}
