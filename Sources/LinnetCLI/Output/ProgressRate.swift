/// The speed of a work, from what was done lately; from this follows the time that the rest will
/// take.
struct ProgressRate {
    /// The part of the past that counts, in milliseconds.
    static let windowMilliseconds: Int64 = 10_000
    /// The time for which a work is watched before its speed is told, in milliseconds.
    static let leastMilliseconds: Int64 = 1_000
    /// The time without news after which that is told, in milliseconds.
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

    /// Returns how much is done in a second; nil while that is not known.
    func perSecond(at now: Int64) -> Double? {
        guard let first = samples.first, let last = samples.last,
            now - first.at >= Self.leastMilliseconds, last.done > first.done
        else { return nil }
        return (last.done - first.done) * 1000 / Double(now - first.at)
    }

    /// Returns for how many seconds nothing new came; nil while that is not worth telling.
    func silence(at now: Int64) -> Int64? {
        let silent = now - lastNews
        return samples.isEmpty || silent < Self.stillMilliseconds ? nil : silent / 1000
    }

    /// Returns how many seconds the rest will take; nil while that is not known.
    ///
    /// The time runs down while there is no news, to three quarters at most: a work that is told of
    /// in large pieces goes on between them.
    func seconds(for rest: Double, at now: Int64) -> Double? {
        guard let pace = perSecond(at: lastNews) ?? perSecond(at: now) else { return nil }
        let whole = max(0, rest) / pace
        return max(whole - Double(now - lastNews) / 1000, whole * 0.75)
    }
}
