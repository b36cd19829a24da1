import Synchronization

/// How far an exchange is, for those who ask while the node is busy with it.
final class ExchangeBoard: Sendable {
    /// What the node saw of its batches.
    struct Sight: Equatable {
        /// Batches that this device and those that are connected lack of each other.
        var toExchange: UInt64 = 0
        /// Batches that are stored here.
        var stored: UInt64 = 0
        /// Batches that are stored here and do not show.
        var hidden: UInt64 = 0
    }

    /// What exchanging a batch and then showing it take of the whole, in hundredths, as measured.
    static let (exchanging, showing): (UInt64, UInt64) = (22, 78)

    private struct State {
        var watchers = 0
        var before = Sight()
        var now = Sight()
        /// The most batches that there were to exchange, with those that came.
        var most: UInt64 = 0
        /// How much of the work is done on a commit that becomes visible now, from 0 to 1, and how
        /// many batches it has.
        var shown: (part: Double, batches: UInt64)?
    }

    private let state = Mutex(State())

    /// Begins to be asked, by one more.
    func beginWatch(_ sight: Sight) {
        state.withLock { state in
            if state.watchers == 0 { state = State(before: sight, now: sight) }
            state.watchers += 1
        }
        see(sight)
    }

    /// One who asked has gone.
    func endWatch() { state.withLock { $0.watchers -= 1 } }

    /// Whether anybody asks.
    var isWatched: Bool { state.withLock { $0.watchers > 0 } }

    /// Takes in what the node sees between two calls.
    func see(_ sight: Sight) {
        state.withLock { state in
            state.now = sight
            state.shown = nil
            // Much may have come before the first look at what is left.
            let came = sight.stored - min(sight.stored, state.before.stored)
            state.most = max(state.most, sight.toExchange + came)
        }
    }

    /// A commit of so many batches becomes visible, and so much of that work is done.
    func show(_ done: Int, of total: Int, batches: Int) {
        state.withLock {
            $0.shown = (Double(done) / Double(max(1, total)), UInt64(clamping: batches))
        }
    }

    /// The hundredths of batches that are done, and that there are; nil when nothing is to do.
    var work: (done: UInt64, total: UInt64)? {
        state.withLock { state in
            let all = state.most + state.before.hidden
            guard all > 0 else { return nil }
            let whole = Self.exchanging + Self.showing
            var (left, hidden) = (min(state.now.toExchange, all), state.now.hidden)
            var half: UInt64 = 0
            if let (part, batches) = state.shown {
                // The last ones came in the call in which all of them become visible.
                let came = batches - min(batches, hidden)
                left -= min(left, came)
                hidden -= min(hidden, batches)
                half = UInt64(Double(Self.showing * batches) * (1 - min(1, max(0, part))))
            }
            let rest = whole * left + Self.showing * hidden + half
            return (whole * all - min(whole * all, rest), whole * all)
        }
    }
}
