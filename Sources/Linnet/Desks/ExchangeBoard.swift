import Synchronization

/// The progress of an exchange, for those who ask while the node is busy with it.
final class ExchangeBoard: Sendable {
    /// The node's view of the batches of an exchange.
    struct Sight: Equatable {
        /// The batches that this device and the connected ones lack of each other; nil while none
        /// has said what it holds.
        var toExchange: UInt64?
        /// The batches that are stored here.
        var stored: UInt64 = 0
        /// The batches that are stored here and do not show.
        var hidden: UInt64 = 0
    }

    /// The parts of the whole that exchanging a batch and then showing it take, in hundredths, as
    /// measured.
    static let (exchanging, showing): (UInt64, UInt64) = (16, 84)

    private struct State {
        var watchers = 0
        var before = Sight()
        var now = Sight()
        /// The batches that are left to exchange.
        var left: UInt64 = 0
        /// The most batches that there were to exchange, those that came included.
        var most: UInt64 = 0
        /// The part of the work on a commit that becomes visible now, from 0 to 1, and the number
        /// of its batches.
        var shown: (part: Double, batches: UInt64)?
    }

    private let state = Mutex(State())

    /// Notes that one more asks.
    func beginWatch(_ sight: Sight) {
        state.withLock { state in
            if state.watchers == 0 { state = State(before: sight, now: sight) }
            state.watchers += 1
        }
        see(sight)
    }

    /// Notes that one who asked has gone.
    func endWatch() { state.withLock { $0.watchers -= 1 } }

    /// True when anybody asks.
    var isWatched: Bool { state.withLock { $0.watchers > 0 } }

    /// Takes in the node's view between two calls.
    func see(_ sight: Sight) {
        state.withLock { state in
            state.now = sight
            state.shown = nil
            // Many batches may have come before the first look at what is left.
            let came = sight.stored - min(sight.stored, state.before.stored)
            // A session that ended says nothing about what is left.
            state.left = sight.toExchange ?? state.most - min(state.most, came)
            state.most = max(state.most, state.left + came)
        }
    }

    /// Notes how much of the work is done on a commit of so many batches that becomes visible.
    func show(_ done: Int, of total: Int, batches: Int) {
        state.withLock {
            $0.shown = (Double(done) / Double(max(1, total)), UInt64(clamping: batches))
        }
    }

    /// The hundredths of batches that are done, and those in all; nil when there is nothing to do.
    var work: (done: UInt64, total: UInt64)? {
        state.withLock { state in
            let all = state.most + state.before.hidden
            guard all > 0 else { return nil }
            let whole = Self.exchanging + Self.showing
            var (left, hidden) = (min(state.left, all), state.now.hidden)
            var half: UInt64 = 0
            if let (part, batches) = state.shown {
                // The last batches came in the same call in which all of them become visible.
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
