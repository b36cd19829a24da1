/// A map kept sorted by key, in pieces of bounded length, so that entries come and go in few steps
/// however many there are.
///
/// It is for maps that grow with use; ``OrderedTable`` takes less memory and is faster while they
/// are short. Public for the same reason as that.
public struct PiecedTable<Key: Comparable, Value> {
    /// The length at which a piece is divided.
    @usableFromInline static var longest: Int { 512 }

    // None of them is empty.
    @usableFromInline var pieces: [OrderedTable<Key, Value>] = []
    @usableFromInline var size = 0

    /// An empty table.
    @inlinable
    public init() {}

    /// A table of entries whose keys ascend strictly.
    @inlinable
    public init(ascending entries: some Sequence<(Key, Value)>) {
        for (key, value) in entries { append(value, forLast: key) }
    }

    /// Number of entries.
    @inlinable public var count: Int { size }
    /// True when there is no entry.
    @inlinable public var isEmpty: Bool { pieces.isEmpty }
    /// The entry with the smallest key.
    @inlinable public var first: (key: Key, value: Value)? { pieces.first?.first }
    /// The entry with the largest key.
    @inlinable public var last: (key: Key, value: Value)? { pieces.last?.last }

    /// Adds an entry whose key is above all others.
    @inlinable
    public mutating func append(_ value: Value, forLast key: Key) {
        if pieces.isEmpty || pieces[pieces.count - 1].count >= Self.longest / 2 {
            pieces.append(OrderedTable())
        }
        let piece = pieces.count - 1
        pieces[piece].insert(value, forNew: key, at: pieces[piece].count)
        size += 1
    }

    /// The value of `key`; assigning nil removes the entry.
    @inlinable
    public subscript(key: Key) -> Value? {
        get { pieces.isEmpty ? nil : pieces[piece(of: key)][key] }
        set {
            guard let newValue else {
                remove(key)
                return
            }
            self[key, default: newValue] = newValue
        }
    }

    /// The value of `key`, or `fallback`, which a change through this subscript stores.
    @inlinable
    public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
        get { self[key] ?? fallback() }
        _modify {
            let piece = pieceWithRoom(for: key)
            let before = pieces[piece].count
            defer { size += pieces[piece].count - before }
            yield &pieces[piece][key, default: fallback()]
        }
    }

    /// The first entry whose key is not below `key`.
    @inlinable
    public func first(atOrAfter key: Key) -> (key: Key, value: Value)? {
        if pieces.isEmpty { return nil }
        let piece = piece(of: key)
        if let found = pieces[piece].first(atOrAfter: key) { return found }
        return piece + 1 < pieces.count ? pieces[piece + 1].first : nil
    }

    /// The first entry whose key is above `key`.
    @inlinable
    public func first(after key: Key) -> (key: Key, value: Value)? {
        if pieces.isEmpty { return nil }
        let piece = piece(of: key)
        let place = pieces[piece].lowerBound(of: key)
        let isThere = pieces[piece].entry(at: place).map { $0.key == key } ?? false
        if let found = pieces[piece].entry(at: isThere ? place + 1 : place) { return found }
        return piece + 1 < pieces.count ? pieces[piece + 1].first : nil
    }

    /// The last entry whose key is below `key`.
    @inlinable
    public func last(before key: Key) -> (key: Key, value: Value)? {
        if pieces.isEmpty { return nil }
        let piece = piece(of: key)
        if let found = pieces[piece].entry(at: pieces[piece].lowerBound(of: key) - 1) {
            return found
        }
        return piece > 0 ? pieces[piece - 1].last : nil
    }

    @inlinable
    mutating func remove(_ key: Key) {
        if pieces.isEmpty { return }
        let piece = piece(of: key)
        guard pieces[piece].removeValue(forKey: key) != nil else { return }
        size -= 1
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    /// Returns the piece in which a key is or would be.
    @inlinable
    func piece(of key: Key) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].keys[0] <= key { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : 0
    }

    /// Returns the piece of a key after making room in it for one more.
    @inlinable
    mutating func pieceWithRoom(for key: Key) -> Int {
        if pieces.isEmpty { pieces.append(OrderedTable()) }
        let piece = pieces[0].isEmpty ? 0 : piece(of: key)
        guard pieces[piece].count >= Self.longest else { return piece }
        let tail = pieces[piece].cut(from: Self.longest / 2)
        pieces.insert(tail, at: piece + 1)
        return self.piece(of: key)
    }
}

extension OrderedTable {
    /// Takes out the entries from a position on, and returns them.
    @inlinable
    mutating func cut(from position: Int) -> OrderedTable {
        var tail = OrderedTable()
        tail.sortedKeys = Array(sortedKeys[position...])
        tail.sortedValues = Array(sortedValues[position...])
        sortedKeys.removeSubrange(position...)
        sortedValues.removeSubrange(position...)
        return tail
    }
}

extension PiecedTable: Sequence {
    /// Starts a walk in key order.
    @inlinable
    public func makeIterator() -> FlattenSequence<[OrderedTable<Key, Value>]>.Iterator {
        pieces.joined().makeIterator()
    }

    /// The exact number of entries.
    @inlinable public var underestimatedCount: Int { size }
}

extension PiecedTable: Equatable where Value: Equatable {
    /// Returns true when both hold the same entries, however they are divided.
    @inlinable
    public static func == (left: PiecedTable, right: PiecedTable) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    }
}

extension PiecedTable: Sendable where Key: Sendable, Value: Sendable {}
