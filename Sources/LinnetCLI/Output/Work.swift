/// A long command at one moment: its current step, how far that is, and how long all steps will
/// take.
struct Work {
    private let steps: [WorkStep]
    private var estimate: WorkEstimate
    private var rate = ProgressRate()
    private var step = 0
    private var done = 0
    /// Nil while it is not known.
    private var total: Int?
    private(set) var hasBegun = false

    /// Begins with nothing done.
    init(_ steps: [WorkStep]) {
        self.steps = steps
        estimate = WorkEstimate(steps.map(\.cost))
    }

    /// Notes how far a step is, at a time in uptime milliseconds; `total` is nil while it is not
    /// known.
    mutating func tell(_ done: Int, of total: Int?, in step: Int = 0, at now: Int64) {
        let isNew = !hasBegun || (self.total == nil && total != nil)
        if isNew || self.step != step { rate = ProgressRate() }
        // The time before the total was known does not count: the work had not begun.
        if isNew { estimate.begin() }
        (self.step, self.done, self.total) = (step, done, total)
        hasBegun = true
        rate.note(Double(done), at: now)
        let part = total.map { $0 > 0 ? Double(done) / Double($0) : 1 } ?? 0
        estimate.note(part, of: step, at: now)
    }

    /// Corrects the cost of a step, now that more is known of its size.
    mutating func weigh(_ step: Int, _ cost: Double) { estimate.costs[step] = cost }

    /// Returns a text such as "1200 of 5000 lines read, 2400/s, 1.6 s left".
    func text(at now: Int64) -> String {
        var text = steps[step].count(done, of: total)
        if let pace = rate.perSecond(at: now), rate.silence(at: now) == nil {
            text += ", \(Int((pace / Double(steps[step].parts)).rounded()))/s"
        }
        return text + timeLeft(at: now)
    }

    private func timeLeft(at now: Int64) -> String {
        // The speed of the last step itself says more than that of the steps before it.
        if step == steps.count - 1, let total, rate.perSecond(at: now) != nil {
            return WorkEstimate.words(rate, left: Double(total - done), at: now)
        }
        return estimate.words(silence: rate.silence(at: now), at: now)
    }
}
