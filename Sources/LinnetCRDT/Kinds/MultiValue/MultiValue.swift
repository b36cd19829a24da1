package import LinnetWire

/// The state of a field that keeps concurrent values: those that no later write has replaced.
///
/// This is the multi-value register of Shapiro et al., "A comprehensive study of Convergent and
/// Commutative Replicated Data Types", 2011, with dots as in Preguiça et al., "Dotted Version
/// Vectors", 2010: a write lists the values that it replaces, so that those it had not seen stay.
package struct MultiValue: Equatable, Sendable {
    /// One value that stands.
    package struct Entry: Equatable, Sendable {
        /// The op that wrote it.
        package let position: Position
        /// The time at which it was written.
        package let stamp: Timestamp
        /// The value's canonical bytes.
        package let payload: [UInt8]
    }

    /// The largest number of values that a reader is shown.
    package static let visibleValues = 8

    private(set) var entries: [Entry] = []
    private var observed = ObservedOps()

    /// Makes a field that nobody wrote.
    package init() {}

    /// Adds a value, one canonical item, in place of those at `replaced`; false if the op was
    /// known.
    package mutating func set(
        _ payload: [UInt8], replacing replaced: [Position], stamp: Timestamp, at position: Position
    ) -> Bool {
        let arrival = observed.admit(position, of: MultiValue.key)
        guard arrival != .known else { return false }
        if arrival == .standing {
            entries.insert(
                inOrder: Entry(position: position, stamp: stamp, payload: payload))
        }
        for other in replaced where observed.replace(other, of: MultiValue.key) {
            entries.remove(other)
        }
        return true
    }

    /// The latest values by (stamp, position), the latest first, at most eight.
    package var visible: [Entry] { Array(different.prefix(MultiValue.visibleValues)) }

    /// True when more values stand than a reader is shown.
    package var isOverfull: Bool {
        entries.count > MultiValue.visibleValues && different.count > MultiValue.visibleValues
    }

    /// The values that stand, the latest first. Equal ones count once, since writers of the same
    /// value do not disagree.
    private var different: [Entry] {
        guard entries.count > 1 else { return entries }
        var seen = OrderedSet<ByteString>()
        return entries.sorted { left, right in
            (left.stamp, left.position) > (right.stamp, right.position)
        }.filter { seen.insert(ByteString($0.payload)) }
    }

    /// The memory of the values and of what was replaced ahead of time, in bytes, approximately.
    var memory: Int { observed.memory + entries.reduce(0) { $0 + 64 + $1.payload.count } }

    /// The ops that the next write replaces: all that stand, ascending.
    package var positions: [Position] { entries.map(\.position) }

    /// All ops of the field that were applied.
    package var context: CausalContext { observed.context }

    /// Merges another state of the same field.
    package mutating func merge(_ other: MultiValue) {
        combine(other, overlap: .shared)
    }

    /// Adds the content of another generation, which took none of the same ops.
    package mutating func join(_ other: MultiValue) {
        combine(other, overlap: .disjoint)
    }

    /// Takes out the values that a write in another generation names.
    mutating func drop(_ named: [Position], of _: ByteString) {
        named.forEach { entries.remove($0) }
    }

    /// Returns true when a write of this generation named the one at a position of another
    /// generation.
    func awaits(_ position: Position, of _: ByteString) -> Bool {
        observed.awaits(position, of: MultiValue.key)
    }

    private mutating func combine(_ other: MultiValue, overlap: Overlap) {
        entries.merge(
            other.entries, of: MultiValue.key, ours: observed, theirs: other.observed,
            overlap: overlap)
        observed.merge(other.observed)
    }

    /// The key of all replacements, since such a field has only one place.
    private static let key = ByteString([])
}

extension MultiValue.Entry: Positioned {}

extension MultiValue {
    /// Appends the chains that `write(to:chains:)` needs in its table.
    package func collectChains(into chains: inout [AuthorID]) {
        observed.collectChains(into: &chains)
    }

    /// Writes [context, awaited, [[position, stamp, value], ...]].
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(3)
        observed.write(to: &writer, chains: chains)
        writer.array(entries.count)
        for entry in entries {
            writer.array(3)
            entry.position.write(to: &writer, chains: chains)
            writer.signed(entry.stamp.rawValue)
            writer.raw(entry.payload)
        }
    }

    /// Reads what `write(to:chains:)` wrote, by the same ascending table.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 3)
        observed = try ObservedOps(from: &reader, chains: chains)
        for _ in 0..<(try reader.array(max: .max)) {
            try reader.array(exactly: 3)
            let position = try Position(from: &reader, chains: chains)
            let stamp = try Timestamp(from: &reader)
            entries.append(
                Entry(position: position, stamp: stamp, payload: try reader.rawItem()))
        }
        guard entries.isWellFormed(in: observed.context) else { throw .nonCanonical }
    }
}
