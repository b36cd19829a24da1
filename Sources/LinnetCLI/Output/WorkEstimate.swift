/// How long a command of several steps will still take.
///
/// The steps are weighed by what they were measured to cost beside each other; how fast this
/// machine pays that cost shows while the command runs.
struct WorkEstimate {
    /// What each step costs for all that there is to do, in any unit; nil while nobody knows how
    /// much it will have to do, and then neither is the time left known.
    var costs: [Double?]
    private var rate = ProgressRate()
    private var done = 0.0

    /// Begins; a command with one step has one cost.
    init(_ costs: [Double?]) {
        self.costs = costs
    }

    /// Forgets what was noted.
    mutating func begin() { rate = ProgressRate() }

    /// Notes which part of a step is done, from 0 to 1; the steps before it are over.
    mutating func note(_ part: Double, of step: Int, at now: Int64) {
        let before = costs[..<step].compactMap(\.self).reduce(0, +)
        done = before + (costs[step] ?? 0) * min(1, max(0, part))
        rate.note(done, at: now)
    }

    /// What is still to be paid; nil while that is not known.
    private var rest: Double? {
        var all = 0.0
        for cost in costs {
            guard let cost else { return nil }
            all += cost
        }
        return all - done
    }

    /// ", 8 s left", or why no time is told; `silence` is for how long no step went on.
    func words(silence: Int64?, at now: Int64) -> String {
        if let silence { return ", nothing new for \(silence) s" }
        return Self.time(rate, left: rest, at: now)
    }

    /// How long what is left takes at a rate, or why no time is told.
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
        // Rounded up, but for a little; while anything is left it is not nothing.
        let whole = seconds > 0 ? max(1, Int(min(seconds + 0.75, 31_536_000))) : 0
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min"
    }
}
