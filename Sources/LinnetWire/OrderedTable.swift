/// A map kept sorted by key, so that every walk over it is the same on every device.
///
/// Lookups take O(log n); an insertion takes O(n) unless its key is the largest. Public, although
/// no application sees it: across modules the optimiser specialises only what is public.
public struct OrderedTable<Key: Comparable, Value> {
    @usableFromInline var sortedKeys: [Key]
    @usableFromInline var sortedValues: [Value]

    /// An empty table.
    @inlinable
    public init() {
        sortedKeys = []
        sortedValues = []
    }

    /// A table of `entries`; of two entries with one key the later one stays.
    @inlinable
    public init(_ entries: some Sequence<(Key, Value)>) {
        self.init()
        for (key, value) in entries {
            self[key] = value
        }
    }

    /// Makes room for as many entries in all.
    @inlinable
    public mutating func reserveCapacity(_ count: Int) {
        sortedKeys.reserveCapacity(count)
        sortedValues.reserveCapacity(count)
    }

    /// The keys in ascending order.
    @inlinable public var keys: [Key] { sortedKeys }
    /// The values in the order of their keys.
    @inlinable public var values: [Value] { sortedValues }
    /// Number of entries.
    @inlinable public var count: Int { sortedKeys.count }
    /// True when there is no entry.
    @inlinable public var isEmpty: Bool { sortedKeys.isEmpty }
    /// The entry with the smallest key.
    @inlinable public var first: (key: Key, value: Value)? { entry(at: 0) }
    /// The entry with the largest key.
    @inlinable public var last: (key: Key, value: Value)? { entry(at: count - 1) }

    /// Position of the first key that is not below `key`; `count` if there is none.
    @inlinable
    public func lowerBound(of key: Key) -> Int {
        var low = 0
        var high = sortedKeys.count
        if let last = sortedKeys.last, last < key { return high }
        while low < high {
            let middle = (low + high) / 2
            if sortedKeys[middle] < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Position of `key`, nil if it is absent.
    @inlinable
    public func index(of key: Key) -> Int? {
        let position = lowerBound(of: key)
        return position < sortedKeys.count && sortedKeys[position] == key ? position : nil
    }

    /// The entry at a position in key order, nil outside the table.
    @inlinable
    public func entry(at position: Int) -> (key: Key, value: Value)? {
        guard sortedKeys.indices.contains(position) else { return nil }
        return (sortedKeys[position], sortedValues[position])
    }

    /// The first entry whose key is not below `key`.
    @inlinable
    public func first(atOrAfter key: Key) -> (key: Key, value: Value)? {
        entry(at: lowerBound(of: key))
    }

    /// The value of `key`; assigning nil removes the entry.
    @inlinable
    public subscript(key: Key) -> Value? {
        get { index(of: key).map { sortedValues[$0] } }
        set {
            let position = lowerBound(of: key)
            let found = position < sortedKeys.count && sortedKeys[position] == key
            switch (newValue, found) {
            case (let value?, true):
                sortedValues[position] = value
            case (let value?, false) where position == sortedKeys.count:
                sortedKeys.append(key)
                sortedValues.append(value)
            case (let value?, false):
                sortedKeys.insert(key, at: position)
                sortedValues.insert(value, at: position)
            case (nil, true):
                sortedKeys.remove(at: position)
                sortedValues.remove(at: position)
            case (nil, false):
                break
            }
        }
    }

    /// The value of `key`, or `fallback`, which a change through this subscript stores.
    @inlinable
    public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
        get { self[key] ?? fallback() }
        _modify {
            let position = lowerBound(of: key)
            if position == sortedKeys.count || sortedKeys[position] != key {
                sortedKeys.insert(key, at: position)
                sortedValues.insert(fallback(), at: position)
            }
            yield &sortedValues[position]
        }
    }

    /// The value at a position of ``index(of:)``, which can be changed in place.
    @inlinable
    public subscript(position position: Int) -> Value {
        get { sortedValues[position] }
        _modify { yield &sortedValues[position] }
    }

    /// Adds an entry, of a key that is not there, at the position that ``lowerBound(of:)`` gives.
    @inlinable
    public mutating func insert(_ value: Value, forNew key: Key, at position: Int) {
        sortedKeys.insert(key, at: position)
        sortedValues.insert(value, at: position)
    }

    /// Removes the entry of `key` and returns its value.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key) -> Value? {
        guard let position = index(of: key) else { return nil }
        sortedKeys.remove(at: position)
        return sortedValues.remove(at: position)
    }

    /// Removes every entry that satisfies the condition.
    @inlinable
    public mutating func removeAll(where condition: (Key, Value) -> Bool) {
        var kept = OrderedTable()
        for (key, value) in self where !condition(key, value) {
            kept.sortedKeys.append(key)
            kept.sortedValues.append(value)
        }
        self = kept
    }

    /// Removes every entry.
    @inlinable
    public mutating func removeAll() {
        self = OrderedTable()
    }

    /// A table with the same keys and transformed values.
    @inlinable
    public func mapValues<Other>(_ transform: (Value) -> Other) -> OrderedTable<Key, Other> {
        var result = OrderedTable<Key, Other>()
        result.sortedKeys = sortedKeys
        result.sortedValues = sortedValues.map(transform)
        return result
    }
}

extension OrderedTable: Sequence {
    /// Walks the entries in key order.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let table: OrderedTable
        @usableFromInline var position = 0

        @usableFromInline
        init(table: OrderedTable) {
            self.table = table
        }

        /// The next entry in key order.
        @inlinable
        public mutating func next() -> (key: Key, value: Value)? {
            guard let entry = table.entry(at: position) else { return nil }
            position += 1
            return entry
        }
    }

    /// Starts a walk in key order.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(table: self) }

    /// The exact number of entries.
    @inlinable public var underestimatedCount: Int { count }
}

extension OrderedTable: Equatable where Value: Equatable {}
extension OrderedTable: Hashable where Key: Hashable, Value: Hashable {}
extension OrderedTable: Sendable where Key: Sendable, Value: Sendable {}

/// A set kept sorted, so that every walk over it is the same on every device.
public struct OrderedSet<Element: Comparable> {
    @usableFromInline var members: [Element]

    /// An empty set.
    @inlinable
    public init() {
        members = []
    }

    /// The set of the elements of a sequence.
    @inlinable
    public init(_ elements: some Sequence<Element>) {
        members = []
        for element in elements.sorted() where members.last != element {
            members.append(element)
        }
    }

    /// The elements in ascending order.
    @inlinable public var elements: [Element] { members }
    /// Number of elements.
    @inlinable public var count: Int { members.count }
    /// True when there is no element.
    @inlinable public var isEmpty: Bool { members.isEmpty }
    /// The smallest element.
    @inlinable public var first: Element? { members.first }
    /// The largest element.
    @inlinable public var last: Element? { members.last }

    /// Position of the first element that is not below `element`; `count` if there is none.
    @inlinable
    public func lowerBound(of element: Element) -> Int {
        var low = 0
        var high = members.count
        if let last = members.last, last < element { return high }
        while low < high {
            let middle = (low + high) / 2
            if members[middle] < element {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// True when the set holds `element`.
    @inlinable
    public func contains(_ element: Element) -> Bool {
        let position = lowerBound(of: element)
        return position < members.count && members[position] == element
    }

    /// Adds `element`; false if it was there.
    @inlinable
    @discardableResult
    public mutating func insert(_ element: Element) -> Bool {
        let position = lowerBound(of: element)
        if position < members.count && members[position] == element { return false }
        members.insert(element, at: position)
        return true
    }

    /// Removes `element`; false if it was absent.
    @inlinable
    @discardableResult
    public mutating func remove(_ element: Element) -> Bool {
        let position = lowerBound(of: element)
        guard position < members.count && members[position] == element else { return false }
        members.remove(at: position)
        return true
    }
}

extension OrderedSet: Sequence {
    /// Starts a walk in ascending order.
    @inlinable
    public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }

    /// The exact number of elements.
    @inlinable public var underestimatedCount: Int { count }
}

extension OrderedSet: Equatable {}
extension OrderedSet: Hashable where Element: Hashable {}
extension OrderedSet: Sendable where Element: Sendable {}
