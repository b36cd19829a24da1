import LinnetFaces
import LinnetMedication
import Testing

@testable import LinnetSimulator

/// The checker of widgets' budgets, on reloads as a host might do them.
struct WidgetBudgetsTests {
    private static let id = WidgetID(0)
    private static let start = Instant(milliseconds: 1_800_000_000_000)

    private static func budgets(_ viewing: WidgetConfiguration.Viewing) throws -> WidgetBudgets {
        var budgets = WidgetBudgets()
        budgets.added(
            id, WidgetConfiguration(kind: "next-dose", family: .small, viewing: viewing),
            at: start)
        try budgets.asked(id, at: start, 0)
        return budgets
    }

    @Test func `one reload more than a day allows is a violation`() throws {
        var budgets = try Self.budgets(.rare)
        for number in 1...24 {
            try budgets.asked(Self.id, at: Self.start.advanced(byMinutes: Int64(number) * 10), 0)
        }
        let last = Self.start.advanced(byMinutes: 250)
        #expect(throws: Violation.self) { try budgets.asked(Self.id, at: last, 0) }
    }

    @Test func `reloads of yesterday do not count`() throws {
        var budgets = try Self.budgets(.rare)
        for number in 1...100 {
            try budgets.asked(Self.id, at: Self.start.advanced(byMinutes: Int64(number) * 180), 0)
        }
    }

    @Test func `reloads while the app is open are free, and others keep five minutes`() throws {
        var budgets = try Self.budgets(.frequent)
        budgets.isInForeground = true
        for number in 1...200 {
            try budgets.asked(Self.id, at: Self.start.advanced(byMinutes: Int64(number)), 0)
        }
        budgets.isInForeground = false
        let soon = Self.start.advanced(byMinutes: 204)
        #expect(throws: Violation.self) { try budgets.asked(Self.id, at: soon, 0) }
    }
}
