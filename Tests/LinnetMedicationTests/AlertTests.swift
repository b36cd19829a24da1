import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Alerts and stocks.
@Suite struct AlertTests {
    private let id: RecordID

    init() throws {
        id = try #require(RecordID("m"))
    }

    private func house(
        stock: String?, _ change: (inout MedicationDraft) throws -> Void = { _ in }
    ) throws -> Household {
        var house = try Household()
        var draft = MedicationDraft("Metformin")
        try change(&draft)
        try house.commit(
            house.planner(at: "2026-01-09T21:00:00Z", intent: "m").add(
                draft, timing: TimingDraft("08:00", "20:00"),
                stock: try stock.map { try number($0) }))
        return house
    }

    private func alerts(_ house: Household, at now: String) throws -> [MedicationAlert] {
        try house.books[0].alerts(
            now: time(now), zone: TestZones.rules("Europe/Berlin"), zones: house.zones)
    }

    private func stock(_ house: Household, at now: String) throws -> StockView? {
        try house.books[0].stock(of: id, now: time(now), zones: house.zones)
    }

    @Test(arguments: [
        ("0", 0), ("1", 0), ("2", 1), ("3", 1), ("30", 15), ("60", 30), ("100", 50),
    ])
    func `days are left until the first dose that the stock does not cover`(
        pieces: String, days: Int
    ) throws {
        let view = try stock(house(stock: pieces), at: "2026-01-09T22:00:00Z")
        #expect(view?.daysLeft == days)
        #expect(view?.isLow == (days == 0 && pieces == "0" || view?.daysLeft == 0))
    }

    @Test func `low is at or below the minimum, and what nobody counted is not low`() throws {
        let low = try house(stock: "10") { $0.minimumStock = .set(try number("10")) }
        #expect(try alerts(low, at: "2026-01-09T22:00:00Z").map(\.word) == ["lowStock"])
        let enough = try house(stock: "11") { $0.minimumStock = .set(try number("10")) }
        #expect(try alerts(enough, at: "2026-01-09T22:00:00Z").isEmpty)
        let unknown = try house(stock: nil) { $0.minimumStock = .set(try number("10")) }
        #expect(try stock(unknown, at: "2026-01-09T22:00:00Z") == nil)
        #expect(try alerts(unknown, at: "2026-01-09T22:00:00Z").isEmpty)
    }

    @Test func `what is dosed by weight loses a piece, what is counted its amount`() throws {
        var house = try house(stock: "30") {
            $0.amount = .set(try number("2.5"))
            $0.unit = .set("ml")
        }
        try house.commit(house.planner(at: "2026-01-10T07:01:00Z", intent: "a").take(id))
        #expect(try house.stock("m") == "27.5")
        #expect(try stock(house, at: "2026-01-10T08:00:00Z")?.daysLeft == 5)
    }

    @Test func `expiring is within thirty days, and told after as well`() throws {
        let house = try house(stock: nil) {
            $0.expirationDay = .set(try #require(Day("2026-02-10")))
        }
        #expect(try alerts(house, at: "2026-01-10T12:00:00Z").map(\.word) == ["missed"])
        #expect(
            try alerts(house, at: "2026-01-11T12:00:00Z").last
                == .expiring(
                    medication: id, day: try #require(Day("2026-02-10")), isExpired: false))
        #expect(
            try alerts(house, at: "2026-02-11T12:00:00Z").last
                == .expiring(
                    medication: id, day: try #require(Day("2026-02-10")), isExpired: true))
    }

    @Test func `missed doses are told for a day`() throws {
        let house = try house(stock: nil)
        #expect(try alerts(house, at: "2026-01-10T07:14:00Z").isEmpty)
        #expect(try alerts(house, at: "2026-01-10T07:15:00Z").map(\.word) == ["missed"])
        #expect(try alerts(house, at: "2026-01-11T06:59:00Z").map(\.word) == ["missed", "missed"])
        #expect(try alerts(house, at: "2026-01-11T07:00:00Z").map(\.word) == ["missed", "missed"])
        #expect(try alerts(house, at: "2026-01-11T07:00:00.001Z").map(\.word) == ["missed"])
    }

    @Test func `witnesses of one dose that are hours apart may mean two`() throws {
        var house = try Household(devices: 2)
        try house.commit(
            house.planner(at: "2026-01-09T21:00:00Z", intent: "m").add(
                MedicationDraft("Metformin"), timing: TimingDraft("08:00")))
        house.meet()
        for (device, now) in [(0, "2026-01-10T07:00:00Z"), (1, "2026-01-10T09:00:00Z")] {
            var note = DoseNote()
            note.scheduled = try time("2026-01-10T07:00:00Z")
            try house.commit(
                house.planner(device, at: now, intent: "t\(device)").take(id, note), on: device)
        }
        house.meet()
        let alerts = try alerts(house, at: "2026-01-10T09:01:00Z")
        #expect(alerts.map(\.word) == ["possibleDoubleDose"])
        #expect(alerts.first?.medication == id)
    }
}
