/// The largest value that was ever written to a field, or the smallest.
///
/// A join of values in their order: which operations came, and in what order, and how often, makes
/// no difference (Shapiro et al., "A comprehensive study of Convergent and Commutative Replicated
/// Data Types", 2011). Of operations that wrote the value the first one is kept.
package struct Extreme: Equatable, Sendable {
    /// Which end of the order wins; the numbers are part of the stored form.
    package enum End: UInt64, Sendable {
        /// The largest value.
        case largest = 0
        /// The smallest value.
        case smallest = 1
    }

    /// Which value wins.
    package let end: End
    /// The canonical bytes of the value.
    package private(set) var payload: [UInt8]
    /// The time of its first write.
    package private(set) var stamp: Timestamp
    /// The op that wrote it first.
    package private(set) var position: Position

    /// Takes what one op wrote; nil when its payload is no value that has a place in an order.
    package init?(_ end: End, payload: [UInt8], stamp: Timestamp, position: Position) {
        guard let value = try? Value.decode(payload), Self.admits(value) else { return nil }
        self.end = end
        self.payload = payload
        self.stamp = stamp
        self.position = position
    }

    /// Returns true when values of this form have an order that does not hang on who looks.
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
        // No value gives way to any.
        if isNothing != other.isNothing { return other.isNothing }
        let isBefore = order.lexicographicallyPrecedes(other.order)
        return end == .smallest ? isBefore : !isBefore
    }

    private var isNothing: Bool { payload == Self.nothing }

    /// Bytes that sort as the values do, those of different types by how they are encoded.
    private var order: [UInt8] {
        let key = (try? Value.decode(payload)).flatMap { IndexKey.bytes(of: $0) }
        return (key ?? []) + payload
    }

    /// Null.
    private static let nothing: [UInt8] = [0xf6]
}
