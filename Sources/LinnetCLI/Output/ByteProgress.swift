import Linnet

/// Says how far work on many bytes is, how fast it goes and how long it will still take.
final class ByteProgress {
    private let verb: String
    private var progress: Progress
    private var rate = ProgressRate()

    /// Begins; `verb` is what happens to the bytes, as in "copying".
    init(_ verb: String, _ output: Output) {
        self.verb = verb
        progress = Progress(output)
    }

    /// Says how far it is.
    func tell(_ doneBytes: UInt64, of totalBytes: UInt64) {
        let now = SystemClock.uptimeMilliseconds()
        rate.note(Double(doneBytes), at: now)
        progress.say("\(verb): " + Self.text(doneBytes, of: totalBytes, rate, at: now))
    }

    /// Takes the line away.
    func end() { progress.end() }

    /// "12.3 of 45.6 MiB (27 %), 8.1 MiB/s, 5 s left".
    static func text(
        _ doneBytes: UInt64, of totalBytes: UInt64, _ rate: ProgressRate, at now: Int64
    ) -> String {
        let (done, total) = (Double(doneBytes), Double(max(totalBytes, 1)))
        var text =
            "\(mebibytes(done)) of \(mebibytes(total)) MiB"
            + " (\(Int(min(100, done * 100 / total))) %)"
        if let pace = rate.perSecond(at: now), rate.silence(at: now) == nil {
            text += ", \(mebibytes(pace)) MiB/s"
        }
        return text + WorkEstimate.words(rate, left: total - done, at: now)
    }

    private static func mebibytes(_ bytes: Double) -> String {
        let tenths = Int((bytes * 10 / 1_048_576).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
