package import LinnetWire

/// The lists of ops that a payload names: arrays of positions, strictly ascending.
package enum PositionList {
    /// Writes [[chain, seq, index], ...]; the positions ascend strictly.
    package static func write(_ positions: [Position], to writer: inout CBORWriter) {
        precondition(isAscending(positions), "a list of positions ascends strictly")
        writer.array(positions.count)
        for position in positions {
            position.write(to: &writer)
        }
    }

    /// Reads what `write` wrote; throws `nonCanonical` for any other order.
    package static func read(from reader: inout CBORReader) throws(WireError) -> [Position] {
        let count = try reader.array()
        var positions: [Position] = []
        for _ in 0..<count {
            positions.append(try Position(from: &reader))
        }
        guard isAscending(positions) else { throw .nonCanonical }
        return positions
    }

    /// Returns true when every position is above the one before it.
    static func isAscending(_ positions: [Position]) -> Bool {
        zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
    }
}
