import LinnetWire

/// The relation of two contents that are brought together.
enum Overlap {
    /// They are states of one thing: an op that a context covers was applied there.
    case shared
    /// No op was applied to both, so that a context says nothing of the other's ops.
    case disjoint
}

/// The ops that a field has seen, and those that were replaced before they were seen.
///
/// Delivery is causal, so an op that replaces another comes after it. An author that breaks this
/// rule must not make two replicas differ: an op that was replaced ahead of time is awaited, and
/// falls when it comes. The state is thus a function of the set of ops.
struct ObservedOps: Equatable, Sendable {
    /// A replaced op, and the key under which it was replaced.
    struct Replacement: Comparable, Sendable {
        let position: Position
        let key: ByteString

        static func < (left: Replacement, right: Replacement) -> Bool {
            if left.position != right.position { return left.position < right.position }
            return left.key < right.key
        }
    }

    /// The standing of an op when it arrives.
    enum Arrival {
        /// It was applied before.
        case known
        /// It is new and stands.
        case standing
        /// It is new and already replaced.
        case replaced
    }

    private(set) var context = CausalContext()
    private var awaited: [Replacement] = []

    /// The memory that it takes, in bytes, approximately.
    var memory: Int {
        40 * context.lasts.count + awaited.reduce(0) { $0 + 64 + $1.key.bytes.count }
    }

    /// Counts the op at `position` as seen.
    mutating func admit(_ position: Position, of key: ByteString) -> Arrival {
        if context.covers(position) { return .known }
        context.insert(position)
        // Those of its chain up to here are seen now.
        let first = Position(chain: position.chain, seq: 0, index: 0)
        let start = awaitedCount { $0.position < first }
        let end = awaitedCount { $0.position <= position }
        guard start < end else { return .standing }
        let isReplaced = awaits(position, of: key)
        awaited.removeSubrange(start..<end)
        return isReplaced ? .replaced : .standing
    }

    /// Notes that the op at `position` is replaced; false if that op is yet to come.
    mutating func replace(_ position: Position, of key: ByteString) -> Bool {
        if context.covers(position) { return true }
        let replacement = Replacement(position: position, key: key)
        let place = awaitedCount { $0 < replacement }
        if place == awaited.count || awaited[place] != replacement {
            awaited.insert(replacement, at: place)
        }
        return false
    }

    /// Returns true when the op at `position` is replaced and yet to come.
    func awaits(_ position: Position, of key: ByteString) -> Bool {
        let replacement = Replacement(position: position, key: key)
        let place = awaitedCount { $0 < replacement }
        return place < awaited.count && awaited[place] == replacement
    }

    /// Returns the number of those awaited, which ascend, for which a condition holds: all up to
    /// some place, and none after it.
    private func awaitedCount(where condition: (Replacement) -> Bool) -> Int {
        var (low, high) = (0, awaited.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(awaited[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns true when an op that is not held here was replaced here.
    func hasReplaced(_ position: Position, of key: ByteString, overlap: Overlap) -> Bool {
        if overlap == .shared && context.covers(position) { return true }
        return awaits(position, of: key)
    }

    /// Counts as seen all that `other` has seen, and awaits all that it awaits.
    mutating func merge(_ other: ObservedOps) {
        context.merge(other.context)
        if awaited.isEmpty && other.awaited.isEmpty { return }
        awaited = OrderedSet(awaited + other.awaited).elements
        dropArrived()
    }

    private mutating func dropArrived() {
        awaited.removeAll { context.covers($0.position) }
    }
}

extension ObservedOps {
    func collectChains(into chains: inout [AuthorID]) {
        context.collectChains(into: &chains)
        for replacement in awaited {
            chains.append(replacement.position.chain)
        }
    }

    /// Writes the context, then [[position, key], ...] of what is awaited: two items.
    func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        context.write(to: &writer, chains: chains)
        writer.array(awaited.count)
        for replacement in awaited {
            writer.array(2)
            replacement.position.write(to: &writer, chains: chains)
            writer.bytes(replacement.key.bytes)
        }
    }

    init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        context = try CausalContext(from: &reader, chains: chains)
        for _ in 0..<(try reader.array(max: .max)) {
            try reader.array(exactly: 2)
            let position = try Position(from: &reader, chains: chains)
            let replacement = Replacement(
                position: position, key: ByteString(try reader.bytes()))
            if context.covers(position) { throw .nonCanonical }
            if let last = awaited.last, last >= replacement { throw .nonCanonical }
            awaited.append(replacement)
        }
    }
}
