package import LinnetWire

/// The content of a record that is written once.
///
/// Whoever writes the same content again adds nothing. Different contents under one identifier are
/// a collision, and all of them are kept. The state is a grow-only set in the sense of Shapiro et
/// al., "A comprehensive study of Convergent and Commutative Replicated Data Types", 2011.
package struct LogEntries: Equatable, Sendable {
    /// One content, with the earliest op that wrote it.
    package struct Entry: Equatable, Sendable {
        /// The canonical bytes of the whole record.
        package let payload: [UInt8]
        /// The time at which it was first written.
        package let stamp: Timestamp
        /// The op that wrote it first.
        package let position: Position
    }

    private struct Origin: Comparable {
        let stamp: Timestamp
        let position: Position

        static func < (left: Origin, right: Origin) -> Bool {
            (left.stamp, left.position) < (right.stamp, right.position)
        }
    }

    private var origins = OrderedTable<ByteString, Origin>()

    /// Makes a record that nobody wrote.
    package init() {}

    /// Adds a content, one canonical item; false if the same or an earlier op that wrote it was
    /// known.
    package mutating func insert(
        _ payload: [UInt8], stamp: Timestamp, at position: Position
    ) -> Bool {
        add(ByteString(payload), from: Origin(stamp: stamp, position: position))
    }

    private mutating func add(_ payload: ByteString, from origin: Origin) -> Bool {
        if let known = origins[payload], known <= origin { return false }
        origins[payload] = origin
        return true
    }

    /// The distinct contents by (stamp, position) of their first op, the earliest first.
    package var entries: [Entry] {
        origins.map { payload, origin in
            Entry(payload: payload.bytes, stamp: origin.stamp, position: origin.position)
        }
        .sorted { left, right in
            if (left.stamp, left.position) != (right.stamp, right.position) {
                return (left.stamp, left.position) < (right.stamp, right.position)
            }
            return left.payload.lexicographicallyPrecedes(right.payload)
        }
    }

    /// The content that a reader sees; nil if nobody wrote.
    package var first: Entry? { entries.first }

    /// The memory of the contents, in bytes, approximately.
    var memory: Int { origins.keys.reduce(0) { $0 + 56 + $1.bytes.count } }

    /// True when different contents were written.
    package var isCollision: Bool { origins.count > 1 }

    /// Merges another state of the same record.
    package mutating func merge(_ other: LogEntries) {
        for (payload, origin) in other.origins {
            _ = add(payload, from: origin)
        }
    }
}

extension LogEntries {
    /// Appends the chains that `write(to:chains:)` needs in its table.
    package func collectChains(into chains: inout [AuthorID]) {
        for origin in origins.values {
            chains.append(origin.position.chain)
        }
    }

    /// Writes [[content, stamp, position], ...], contents in bytewise order.
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(origins.count)
        for (payload, origin) in origins {
            writer.array(3)
            writer.raw(payload.bytes)
            writer.signed(origin.stamp.rawValue)
            origin.position.write(to: &writer, chains: chains)
        }
    }

    /// Reads what `write(to:chains:)` wrote, by the same ascending table.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        for _ in 0..<(try reader.array(max: .max)) {
            try reader.array(exactly: 3)
            let payload = ByteString(try reader.rawItem())
            if let last = origins.last, last.key >= payload { throw .nonCanonical }
            let stamp = try Timestamp(from: &reader)
            origins[payload] = Origin(
                stamp: stamp, position: try Position(from: &reader, chains: chains))
        }
    }
}
