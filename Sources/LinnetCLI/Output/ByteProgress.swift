import Linnet

/// Says how far work on many bytes is, how fast it goes and how long it will still take.
final class ByteProgress {
    private let verb: String
    private let progress: Progress
    private let start = SystemClock.uptimeMilliseconds()

    /// Begins; `verb` is what happens to the bytes, as in "copying".
    init(_ verb: String, _ output: Output) {
        self.verb = verb
        progress = Progress(output)
    }

    /// Says how far it is.
    func tell(_ doneBytes: UInt64, of totalBytes: UInt64) {
        let elapsed = SystemClock.uptimeMilliseconds() - start
        progress.say(
            "\(verb): " + Self.text(doneBytes, of: totalBytes, elapsedMilliseconds: elapsed))
    }

    /// Takes the line away.
    func end() { progress.end() }

    /// "12.3 of 45.6 MiB (27 %), 8.1 MiB/s, 5 s left"; no rate within the first half second.
    static func text(
        _ doneBytes: UInt64, of totalBytes: UInt64, elapsedMilliseconds: Int64
    ) -> String {
        let (done, total) = (Double(doneBytes), Double(max(totalBytes, 1)))
        var text = "\(mebibytes(done)) of \(mebibytes(total)) MiB"
        text += " (\(Int(min(100, done * 100 / total))) %)"
        guard elapsedMilliseconds >= 500, done > 0 else { return text }
        let rate = done * 1000 / Double(elapsedMilliseconds)
        let left = Int(((total - min(done, total)) / rate).rounded(.up))
        text += ", \(mebibytes(rate)) MiB/s, "
        return text + (left < 120 ? "\(left) s left" : "\(left / 60) min left")
    }

    private static func mebibytes(_ bytes: Double) -> String {
        let tenths = Int((bytes * 10 / 1_048_576).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
