import Linnet

/// Shows how far a long command is: over one line of a terminal; elsewhere once a second, and only
/// when that was asked for.
struct Progress {
    private let output: Output
    private let drawsOver = Output.isErrorTerminal
    private var last = SystemClock.uptimeMilliseconds()
    private var isDrawn = false

    init(_ output: Output) {
        self.output = output
    }

    mutating func say(_ text: String) {
        guard output.level >= .info else { return }
        if drawsOver {
            output.progress(text)
            isDrawn = true
            return
        }
        let now = SystemClock.uptimeMilliseconds()
        guard output.tellsProgress, now - last >= 1000 else { return }
        output.note(text, .info)
        last = now
    }

    mutating func end() {
        if isDrawn { output.progress("") }
        isDrawn = false
    }
}
