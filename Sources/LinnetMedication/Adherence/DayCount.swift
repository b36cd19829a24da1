/// The doses of a day, or of several, of which is known what became.
package struct DayCount: Equatable, Sendable {
    /// Doses that were due.
    package var total = 0
    /// Of these, taken.
    package var taken = 0
    /// Of those taken, late.
    package var late = 0
    /// Of those due, skipped; what is left was missed.
    package var skipped = 0

    /// No dose.
    package init() {}

    /// Adds a dose that is settled.
    mutating func add(_ status: DoseStatus) {
        total += 1
        if status.isTaken { taken += 1 }
        if status.isLate { late += 1 }
        if status.isSkipped { skipped += 1 }
    }

    /// Of those due, missed.
    package var missed: Int { total - taken - skipped }

    /// Both together.
    static func + (left: DayCount, right: DayCount) -> DayCount {
        var sum = left
        sum.total += right.total
        sum.taken += right.taken
        sum.late += right.late
        sum.skipped += right.skipped
        return sum
    }

    /// The numbers in as few characters as they need: nothing, `total` where all were taken in
    /// time, else `total/taken/late/skipped`.
    var text: String {
        if total == 0 { return "" }
        if taken == total, late == 0 { return "\(total)" }
        return "\(total)/\(taken)/\(late)/\(skipped)"
    }

    /// Reads what `text` writes; nil for anything else.
    init?(_ text: Substring) {
        guard !text.isEmpty else { return }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        for part in parts {
            guard let number = Int(part), (0...DayCount.most).contains(number),
                String(number) == part
            else { return nil }
            numbers.append(number)
        }
        switch numbers.count {
        case 1: (total, taken) = (numbers[0], numbers[0])
        case 4: (total, taken, late, skipped) = (numbers[0], numbers[1], numbers[2], numbers[3])
        default: return nil
        }
        guard total > 0, taken + skipped <= total, late <= taken, self.text == text else {
            return nil
        }
    }

    /// More doses of one medication than anybody has on a day.
    private static let most = 10_000
}
