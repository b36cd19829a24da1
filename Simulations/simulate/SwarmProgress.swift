import Glibc

/// A line at a terminal that tells how far a swarm is; nothing elsewhere.
struct SwarmProgress {
    private let total: Int
    private let isTerminal = isatty(2) == 1
    private var isShown = false
    private var shownAt = 0.0

    init(total: Int) { self.total = total }

    mutating func show(_ summary: Summary) {
        guard isTerminal, Interrupt.seconds - shownAt >= 0.2 else { return }
        shownAt = Interrupt.seconds
        let width = 20
        let filled = total > 0 ? summary.seeds * width / total : width
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let seconds = max(summary.seconds, 0.001)
        let left = seconds / Double(max(summary.seeds, 1)) * Double(total - summary.seeds)
        let text =
            "\(bar) \(summary.seeds) of \(total) seeds, "
            + "\(Text.decimal(summary.thousandths)) device-years, "
            + "\(Int(Double(summary.events) / seconds)) events/s, "
            + (summary.seeds > 0 ? "\(Text.time(left)) left" : "…")
            + (summary.failures > 0 ? ", \(summary.failures) failed" : "")
        Terminal.write("\r\u{1b}[K" + text, to: 2)
        isShown = true
    }

    mutating func clear() {
        if isShown { Terminal.write("\r\u{1b}[K", to: 2) }
        isShown = false
    }
}
