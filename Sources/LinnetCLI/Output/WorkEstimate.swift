/// Estimates how long a command of several steps will still take.
///
/// The steps are weighed by their measured costs; the speed at which this machine pays these costs
/// shows while the command runs.
struct WorkEstimate {
    /// The whole cost of each step, in any unit; nil while nobody knows the size of the step, and
    /// then the time left is not known either.
    var costs: [Double?]
    private var rate = ProgressRate()
    private var done = 0.0

    /// Begins with the costs of all steps.
    init(_ costs: [Double?]) {
        self.costs = costs
    }

    /// Forgets the speed, which is measured anew.
    mutating func begin() { rate = ProgressRate() }

    /// Notes the part of a step that is done, from 0 to 1; the steps before it are over.
    mutating func note(_ part: Double, of step: Int, at now: Int64) {
        let before = costs[..<step].compactMap(\.self).reduce(0, +)
        done = before + (costs[step] ?? 0) * min(1, max(0, part))
        // Costs that are known only later say nothing about the speed until then.
        if rest == nil { begin() } else { rate.note(done, at: now) }
    }

    /// The cost that is still to be paid; nil while it is not known.
    private var rest: Double? {
        var all = 0.0
        for cost in costs {
            guard let cost else { return nil }
            all += cost
        }
        return all - done
    }

    /// Returns ", 8.2 s left", or a remark on why no time is told; `silence` is the number of
    /// seconds without news of any step.
    func words(silence: Int64?, at now: Int64) -> String {
        if let silence { return ", nothing new for \(silence) s" }
        return Self.time(rate, left: rest, at: now)
    }

    /// Returns how long the rest takes at a rate, or a remark on why no time is told.
    static func words(_ rate: ProgressRate, left: Double?, at now: Int64) -> String {
        if let silence = rate.silence(at: now) { return ", nothing new for \(silence) s" }
        return time(rate, left: left, at: now)
    }

    private static func time(_ rate: ProgressRate, left: Double?, at now: Int64) -> String {
        guard let left, let seconds = rate.seconds(for: left, at: now) else {
            return ", time left not known yet"
        }
        return ", \(duration(seconds)) left"
    }

    private static func duration(_ seconds: Double) -> String {
        // A whole second is too coarse for a short time, so tenths are told. The time is rounded
        // up: it is not 0 while anything is left.
        let tenths = Int((min(max(0, seconds), 31_536_000) * 10 - 0.001).rounded(.up))
        if tenths == 0 { return "0 s" }
        if tenths < 100 { return "\(tenths / 10).\(tenths % 10) s" }
        let whole = (tenths + 7) / 10
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min"
    }
}
