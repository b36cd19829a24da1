import Linnet

/// Says how many of many things are done, how fast it goes and how long it will still take.
final class CountProgress {
    private let things: String
    private let progress: Progress
    private let start = SystemClock.uptimeMilliseconds()
    private var told: Int64 = 0

    /// Begins; `things` names what is counted, as in "lines read".
    init(_ things: String, _ output: Output) {
        self.things = things
        progress = Progress(output)
    }

    /// Says how far it is, a few times a second.
    func tell(_ done: Int, of total: Int) {
        let elapsed = SystemClock.uptimeMilliseconds() - start
        guard elapsed - told >= 200 else { return }
        told = elapsed
        progress.say(Self.text(things, done, of: total, elapsedMilliseconds: elapsed))
    }

    /// Takes the line away.
    func end() { progress.end() }

    /// "1200 of 5000 lines read, 2400/s, 2 s left"; no rate within the first half second.
    static func text(
        _ things: String, _ done: Int, of total: Int, elapsedMilliseconds: Int64
    ) -> String {
        let text = "\(done) of \(max(done, total)) \(things)"
        guard elapsedMilliseconds >= 500, done > 0 else { return text }
        let rate = Double(done) * 1000 / Double(elapsedMilliseconds)
        let left = Int((Double(max(0, total - done)) / rate).rounded(.up))
        return text + ", \(Int(rate.rounded()))/s, "
            + (left < 120 ? "\(left) s left" : "\(left / 60) min left")
    }
}
