/// The largest value that was ever written to a field, or the smallest.
///
/// The state is a join of values in their order, so that it makes no difference in what order
/// operations came, and how often (Shapiro et al., "A comprehensive study of Convergent and
/// Commutative Replicated Data Types", 2011). Of the operations that wrote the value the first one
/// is kept.
package struct Extreme: Equatable, Sendable {
    /// The end of the order that wins; the numbers are part of the stored form.
    package enum End: UInt64, Sendable {
        /// The largest value.
        case largest = 0
        /// The smallest value.
        case smallest = 1
    }

    /// The end that wins.
    package let end: End
    /// The canonical bytes of the value.
    package private(set) var payload: [UInt8]
    /// The time of its first write.
    package private(set) var stamp: Timestamp
    /// The op that wrote it first.
    package private(set) var position: Position

    /// Makes the state after one op; nil when its payload is not a value that has a place in an
    /// order.
    package init?(_ end: End, payload: [UInt8], stamp: Timestamp, position: Position) {
        guard let value = try? Value.decode(payload), Self.admits(value) else { return nil }
        self.end = end
        self.payload = payload
        self.stamp = stamp
        self.position = position
    }

    /// Returns true when values of this form have an order that is the same for everybody.
    static func admits(_ value: Value) -> Bool {
        switch value {
        case .null, .bool, .int, .decimal, .double, .instant, .date: true
        case .text, .bytes, .list: false
        }
    }

    /// Keeps the value that wins, and the first op that wrote it; true if that changes.
    package mutating func merge(_ other: Extreme) -> Bool {
        guard other.wins(over: self) else { return false }
        self = other
        return true
    }

    private func wins(over other: Extreme) -> Bool {
        if payload == other.payload { return (stamp, position) < (other.stamp, other.position) }
        // Null gives way to every value.
        if isNothing != other.isNothing { return other.isNothing }
        let (mine, theirs) = (order, other.order)
        let isBefore =
            mine == theirs
            ? payload.lexicographicallyPrecedes(other.payload)
            : mine.lexicographicallyPrecedes(theirs)
        return end == .smallest ? isBefore : !isBefore
    }

    private var isNothing: Bool { payload == Self.nothing }

    /// The bytes that sort as the values do.
    private var order: [UInt8] {
        (try? Value.decode(payload)).flatMap { IndexKey.bytes(of: $0) } ?? []
    }

    /// The canonical bytes of null.
    private static let nothing: [UInt8] = [0xf6]
}
