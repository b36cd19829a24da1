package import LinnetWire

/// The ops that a state has seen: per chain, all up to a last one.
///
/// It is a version vector over dots, as causal contexts are in Almeida, Shoker and Baquero, "Delta
/// State Replicated Data Types", 2018. It stays this compact because the ops of a chain arrive in
/// order.
package struct CausalContext: Equatable, Sendable {
    /// The last op seen of every chain, chains ascending.
    package private(set) var lasts: [Position]

    /// Makes the context that has seen nothing.
    package init() {
        lasts = []
    }

    /// True when nothing was seen.
    package var isEmpty: Bool { lasts.isEmpty }

    /// Returns true when the op at `position` was seen.
    package func covers(_ position: Position) -> Bool {
        let place = place(of: position.chain)
        guard place < lasts.count, lasts[place].chain == position.chain else { return false }
        return position <= lasts[place]
    }

    /// Counts the op at `position` and all before it in its chain as seen.
    package mutating func insert(_ position: Position) {
        let place = place(of: position.chain)
        if place == lasts.count || lasts[place].chain != position.chain {
            lasts.insert(position, at: place)
        } else if lasts[place] < position {
            lasts[place] = position
        }
    }

    /// Counts as seen all that `other` has seen.
    package mutating func merge(_ other: CausalContext) {
        for last in other.lasts {
            insert(last)
        }
    }

    /// The place of the first chain that is not below `chain`.
    private func place(of chain: AuthorID) -> Int {
        var (low, high) = (0, lasts.count)
        while low < high {
            let middle = (low + high) / 2
            if lasts[middle].chain < chain {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension CausalContext {
    /// Writes [[chain, seq, index], ...] with whole chains, as payloads carry a context.
    package func write(to writer: inout CBORWriter) {
        writer.array(lasts.count)
        for last in lasts {
            last.write(to: &writer)
        }
    }

    /// Reads the context of a payload; throws `nonCanonical` unless chains ascend strictly.
    package init(from reader: inout CBORReader) throws(WireError) {
        self.init()
        for _ in 0..<(try reader.array()) {
            try append(try Position(from: &reader))
        }
    }

    /// Appends the chains that `write(to:chains:)` needs in its table.
    package func collectChains(into chains: inout [AuthorID]) {
        for last in lasts {
            chains.append(last.chain)
        }
    }

    /// Writes [[chain index, seq, index], ...].
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(lasts.count)
        for last in lasts {
            last.write(to: &writer, chains: chains)
        }
    }

    /// Reads what `write(to:chains:)` wrote, by the same ascending table.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        self.init()
        for _ in 0..<(try reader.array()) {
            try append(try Position(from: &reader, chains: chains))
        }
    }

    private mutating func append(_ last: Position) throws(WireError) {
        if let previous = lasts.last, previous.chain >= last.chain { throw .nonCanonical }
        lasts.append(last)
    }
}
