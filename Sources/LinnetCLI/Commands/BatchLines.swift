import Linnet
import LinnetWire
import Synchronization

/// The lines of `run` about batches that become visible: one line for a batch that comes alone. Of
/// many that come together it writes one at the beginning, one now and then, and one at the end.
final class BatchLines: Sendable {
    /// Batches that come close together, all from this device or all from others.
    struct Stretch {
        /// The silence after which a stretch has ended, and the age at which it is first spoken of,
        /// in milliseconds.
        static let quietMilliseconds: Int64 = 1_000
        /// The time between two lines of one stretch, in milliseconds.
        static let pauseMilliseconds: Int64 = 30_000

        let verbs: (doing: String, done: String)
        private var batches = 0
        private var operations = 0
        private var first = ""
        private var begun: Int64 = 0
        private var last: Int64 = 0
        private var told: Int64?

        init(_ verbs: (doing: String, done: String)) {
            self.verbs = verbs
        }

        var isOpen: Bool { batches > 0 }

        /// Takes in a batch; `line` tells of it in case it comes alone. Returns the line to write
        /// now, if there is one.
        mutating func take(_ line: String, _ count: Int, at now: Int64) -> String? {
            if batches == 0 { (begun, first) = (now, line) }
            batches += 1
            operations += count
            last = now
            guard batches > 1, now - begun >= Self.quietMilliseconds,
                now - (told ?? now - Self.pauseMilliseconds) >= Self.pauseMilliseconds
            else { return nil }
            told = now
            return "\(verbs.doing) batches: \(batches) so far, "
                + Plural.of(operations, "operation")
        }

        /// Returns the line for the end of the stretch; nil when it goes on or none is open.
        mutating func end(at now: Int64, atOnce: Bool) -> String? {
            guard isOpen, atOnce || now - last >= Self.quietMilliseconds else { return nil }
            defer { self = Stretch(verbs) }
            if batches == 1 { return first }
            let tenths = (last - begun + 50) / 100
            return "\(verbs.done) \(Plural.batches(batches)), "
                + "\(Plural.of(operations, "operation")), in \(tenths / 10).\(tenths % 10) s"
        }
    }

    private struct State {
        var own = Stretch(("writing", "wrote"))
        var others = Stretch(("receiving", "received"))
        var isWatched = false
    }

    private let state = Mutex(State())
    private let say: @Sendable (String) -> Void

    init(_ say: @escaping @Sendable (String) -> Void) {
        self.say = say
    }

    /// Takes in a batch.
    func take(_ line: String, operations: Int, isLocal: Bool) {
        let now = SystemClock.uptimeMilliseconds()
        let (text, isFirst) = state.withLock { state in
            defer { state.isWatched = true }
            let text =
                isLocal
                ? state.own.take(line, operations, at: now)
                : state.others.take(line, operations, at: now)
            return (text, !state.isWatched)
        }
        if let text { say(text) }
        if isFirst { watch() }
    }

    /// Ends the open stretches, before a line is written that follows from them.
    func end() { endStretches(atOnce: true) }

    /// Waits until all stretches are quiet, and ends each one that is.
    private func watch() {
        Task {
            repeat {
                try? await Task.sleep(for: .milliseconds(Stretch.quietMilliseconds))
            } while endStretches(atOnce: false)
        }
    }

    /// Returns true when a stretch goes on.
    @discardableResult
    private func endStretches(atOnce: Bool) -> Bool {
        let now = SystemClock.uptimeMilliseconds()
        let (texts, goesOn) = state.withLock { state in
            let texts = [
                state.own.end(at: now, atOnce: atOnce), state.others.end(at: now, atOnce: atOnce),
            ].compactMap(\.self)
            let goesOn = state.own.isOpen || state.others.isOpen
            if !atOnce { state.isWatched = goesOn }
            return (texts, goesOn)
        }
        texts.forEach(say)
        return goesOn
    }
}
