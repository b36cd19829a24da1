import Linnet

/// Tells how far a work on many bytes is, how fast it goes and how long it will still take.
///
/// The work may go through the same bytes several times, as in "copying" and "writing". A later
/// pass may work with another disk, or with a disk where an earlier one worked in memory, so nobody
/// knows before the last pass how long all of it will take.
final class ByteProgress {
    private let verbs: [String]
    private var progress: Progress
    private var pass = -1
    private var rate = ProgressRate()

    /// Begins a work; each verb names one pass over all bytes.
    init(_ verbs: [String], _ output: Output) {
        self.verbs = verbs
        progress = Progress(output)
    }

    /// Tells how far the work is; both numbers count the bytes of all passes.
    func tell(_ doneBytes: UInt64, of totalBytes: UInt64) {
        let now = SystemClock.uptimeMilliseconds()
        let size = totalBytes / UInt64(verbs.count)
        let pass = size > 0 ? min(Int(doneBytes / size), verbs.count - 1) : 0
        if pass != self.pass { rate = ProgressRate() }
        self.pass = pass
        let done = doneBytes - UInt64(pass) * size
        rate.note(Double(done), at: now)
        let isLast = pass == verbs.count - 1
        progress.say(
            "\(verbs[pass]): " + Self.text(done, of: size, rate, isLast: isLast, at: now))
    }

    /// Takes the line away.
    func end() { progress.end() }

    /// Returns a text such as "12.3 of 45.6 MiB (27 %), 8.1 MiB/s, 4.2 s left".
    static func text(
        _ doneBytes: UInt64, of totalBytes: UInt64, _ rate: ProgressRate, isLast: Bool = true,
        at now: Int64
    ) -> String {
        let (done, total) = (Double(doneBytes), Double(max(totalBytes, 1)))
        var text =
            "\(mebibytes(done)) of \(mebibytes(total)) MiB"
            + " (\(Int(min(100, done * 100 / total))) %)"
        if let pace = rate.perSecond(at: now), rate.silence(at: now) == nil {
            text += ", \(mebibytes(pace)) MiB/s"
        }
        return text + WorkEstimate.words(rate, left: isLast ? total - done : nil, at: now)
    }

    private static func mebibytes(_ bytes: Double) -> String {
        let tenths = Int((bytes * 10 / 1_048_576).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
