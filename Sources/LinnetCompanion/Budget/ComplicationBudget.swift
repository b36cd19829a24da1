import LinnetWire

/// The transfers for the watch face: 50 in any 24 hours of the phone's clock.
struct ComplicationBudget: Equatable, Sendable {
    /// Apple, WCSession, remainingComplicationUserInfoTransfers.
    static let transfersPerDay = 50
    private static let dayMilliseconds: Int64 = 86_400_000

    private var spentWallMilliseconds: [Int64] = []

    func remaining(at now: Moment) -> Int {
        max(0, ComplicationBudget.transfersPerDay - recent(at: now).count)
    }

    mutating func spend(at now: Moment) {
        spentWallMilliseconds = recent(at: now) + [now.wallMilliseconds]
    }

    /// Returns what was spent in the last 24 hours; a clock that went back by more counts as now.
    private func recent(at now: Moment) -> [Int64] {
        spentWallMilliseconds.filter { $0 > now.wallMilliseconds - Self.dayMilliseconds }
            .map { $0 > now.wallMilliseconds + Self.dayMilliseconds ? now.wallMilliseconds : $0 }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(spentWallMilliseconds.count)
        for moment in spentWallMilliseconds { writer.signed(moment) }
    }

    static func read(_ row: [UInt8]) throws(WireError) -> ComplicationBudget {
        var reader = CBORReader(row)
        var budget = ComplicationBudget()
        for _ in 0..<(try reader.array(max: transfersPerDay)) {
            budget.spentWallMilliseconds.append(try reader.signed())
        }
        try reader.finish()
        return budget
    }
}
