/// How fast something goes, by what was done lately, and so how long the rest will take.
struct ProgressRate {
    /// How much of the past counts, in milliseconds.
    static let windowMilliseconds: Int64 = 5_000
    /// How long something was watched before anything is said, in milliseconds.
    static let leastMilliseconds: Int64 = 1_000
    /// After how long without news that is said, in milliseconds.
    static let stillMilliseconds: Int64 = 3_000

    private var samples: [(at: Int64, done: Double)] = []
    private var lastNews: Int64 = 0

    /// Notes how much is done at a moment; less than before begins anew.
    mutating func note(_ done: Double, at now: Int64) {
        if let last = samples.last, done < last.done { samples = [] }
        if samples.last.map({ $0.done < done }) ?? true { lastNews = now }
        samples.append((now, done))
        while samples.count > 2, samples[1].at <= now - Self.windowMilliseconds {
            samples.removeFirst()
        }
    }

    /// How much is done in a second; nil while that is not known.
    func perSecond(at now: Int64) -> Double? {
        guard let first = samples.first, let last = samples.last,
            now - first.at >= Self.leastMilliseconds, last.done > first.done
        else { return nil }
        return (last.done - first.done) * 1000 / Double(now - first.at)
    }

    /// ", 2400/s, 2 s left", as far as it is known; `unit` shows the rate.
    func words(
        left: Double?, at now: Int64, of what: String = "left", unit: (Double) -> String
    ) -> String {
        let silent = now - lastNews
        if !samples.isEmpty, silent >= Self.stillMilliseconds {
            return ", nothing new for \(silent / 1000) s"
        }
        guard let rate = perSecond(at: now) else { return "" }
        guard let left else { return ", \(unit(rate)), time left not known" }
        return ", \(unit(rate)), " + Self.duration(max(0, left) / rate) + " " + what
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 31_536_000))
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min"
    }
}
