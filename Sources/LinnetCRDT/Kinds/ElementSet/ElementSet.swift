package import LinnetWire

/// A set of encoded values in which an addition wins over a concurrent removal.
///
/// This is the observed-remove set of Shapiro et al., "A comprehensive study of Convergent and
/// Commutative Replicated Data Types", 2011, without tombstones as in Bieniusa et al., "An
/// Optimized Conflict-free Replicated Set", 2012: a removal lists the additions that it takes back,
/// and a causal context tells additions that were taken back from those that are yet to come.
package struct ElementSet: Equatable, Sendable {
    private var additions = ElementTable()
    private var observed = ObservedOps()

    /// Makes an empty set.
    package init() {}

    /// Adds an element, one canonical item, in place of its additions at `replaced`; false if the
    /// op was known.
    package mutating func add(
        _ element: [UInt8], replacing replaced: [Position], at position: Position
    ) -> Bool {
        let key = ByteString(element)
        let arrival = observed.admit(position, of: key)
        guard arrival != .known else { return false }
        if arrival == .standing { additions.change(key) { $0.insert(inOrder: position) } }
        takeBack(replaced, of: key)
        return true
    }

    /// Removes the additions at `seen` of an element; false if the op was known.
    package mutating func remove(
        _ element: [UInt8], observed seen: [Position], at position: Position
    ) -> Bool {
        let key = ByteString(element)
        guard observed.admit(position, of: key) != .known else { return false }
        takeBack(seen, of: key)
        return true
    }

    private mutating func takeBack(_ positions: [Position], of key: ByteString) {
        for position in positions where observed.replace(position, of: key) {
            guard additions.contains(key) else { continue }
            additions.change(key) { $0.remove(position) }
        }
    }

    /// The memory of the elements and of what was taken back ahead of time, in bytes,
    /// approximately.
    var memory: Int {
        observed.memory
            + additions.entries.reduce(0) { $0 + 56 + $1.0.bytes.count + 40 * $1.1.count }
    }

    /// The elements in bytewise order.
    package var elements: [[UInt8]] { additions.keys.map(\.bytes) }

    /// The number of elements.
    package var count: Int { additions.count }

    /// Returns true when the element is in the set.
    package func contains(_ element: [UInt8]) -> Bool {
        additions.contains(ByteString(element))
    }

    /// The additions of an element that the next write of it replaces, ascending.
    package func positions(of element: [UInt8]) -> [Position] {
        additions[ByteString(element)] ?? []
    }

    /// All ops of the field that were applied.
    package var context: CausalContext { observed.context }

    /// Merges another state of the same field.
    package mutating func merge(_ other: ElementSet) {
        combine(other, overlap: .shared)
    }

    /// Adds the content of another generation, which took none of the same ops.
    package mutating func join(_ other: ElementSet) {
        combine(other, overlap: .disjoint)
    }

    /// Takes out the additions of an element that an op in another generation names.
    mutating func drop(_ named: [Position], of element: ByteString) {
        guard additions.contains(element) else { return }
        additions.change(element) { positions in named.forEach { positions.remove($0) } }
    }

    /// Returns true when an op of this generation named the addition at a position of another one.
    func awaits(_ position: Position, of element: ByteString) -> Bool {
        observed.awaits(position, of: element)
    }

    private mutating func combine(_ other: ElementSet, overlap: Overlap) {
        var merged = ElementTable()
        for key in OrderedSet(additions.keys + other.additions.keys) {
            var positions = additions[key] ?? []
            positions.merge(
                other.additions[key] ?? [], of: key, ours: observed, theirs: other.observed,
                overlap: overlap)
            if !positions.isEmpty { merged.change(key) { $0 = positions } }
        }
        additions = merged
        observed.merge(other.observed)
    }
}

extension ElementSet {
    /// Appends the chains that `write(to:chains:)` needs in its table.
    package func collectChains(into chains: inout [AuthorID]) {
        observed.collectChains(into: &chains)
    }

    /// Writes [context, awaited, [[element, [position, ...]], ...]].
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(3)
        observed.write(to: &writer, chains: chains)
        writer.array(additions.count)
        for (element, positions) in additions.entries {
            writer.array(2)
            writer.raw(element.bytes)
            writer.array(positions.count)
            for position in positions {
                position.write(to: &writer, chains: chains)
            }
        }
    }

    /// Reads what `write(to:chains:)` wrote, by the same ascending table.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 3)
        observed = try ObservedOps(from: &reader, chains: chains)
        for _ in 0..<(try reader.array(max: .max)) {
            try reader.array(exactly: 2)
            let element = ByteString(try reader.rawItem())
            if let last = additions.last, last >= element { throw .nonCanonical }
            var positions: [Position] = []
            for _ in 0..<(try reader.array(max: .max)) {
                positions.append(try Position(from: &reader, chains: chains))
            }
            guard !positions.isEmpty, positions.isWellFormed(in: observed.context) else {
                throw .nonCanonical
            }
            additions.change(element) { $0 = positions }
        }
    }
}
