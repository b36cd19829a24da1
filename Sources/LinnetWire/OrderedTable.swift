/// A map kept sorted by key, so that every walk over it is the same on every device.
///
/// Lookups take O(log n); an insertion takes O(n) unless its key is the largest.
package struct OrderedTable<Key: Comparable, Value> {
    @usableFromInline var sortedKeys: [Key]
    @usableFromInline var sortedValues: [Value]

    /// An empty table.
    @inlinable
    package init() {
        sortedKeys = []
        sortedValues = []
    }

    /// A table of `entries`; of two entries with one key the later one stays.
    @inlinable
    package init(_ entries: some Sequence<(Key, Value)>) {
        self.init()
        for (key, value) in entries {
            self[key] = value
        }
    }

    /// The keys in ascending order.
    @inlinable package var keys: [Key] { sortedKeys }
    /// The values in the order of their keys.
    @inlinable package var values: [Value] { sortedValues }
    /// Number of entries.
    @inlinable package var count: Int { sortedKeys.count }
    /// Whether there is no entry.
    @inlinable package var isEmpty: Bool { sortedKeys.isEmpty }
    /// The entry with the smallest key.
    @inlinable package var first: (key: Key, value: Value)? { entry(at: 0) }
    /// The entry with the largest key.
    @inlinable package var last: (key: Key, value: Value)? { entry(at: count - 1) }

    /// Position of the first key that is not below `key`; `count` if there is none.
    @inlinable
    package func lowerBound(of key: Key) -> Int {
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
    package func index(of key: Key) -> Int? {
        let position = lowerBound(of: key)
        return position < sortedKeys.count && sortedKeys[position] == key ? position : nil
    }

    /// The entry at a position in key order, nil outside the table.
    @inlinable
    package func entry(at position: Int) -> (key: Key, value: Value)? {
        guard sortedKeys.indices.contains(position) else { return nil }
        return (sortedKeys[position], sortedValues[position])
    }

    /// The first entry whose key is not below `key`.
    @inlinable
    package func first(atOrAfter key: Key) -> (key: Key, value: Value)? {
        entry(at: lowerBound(of: key))
    }

    /// The value of `key`; assigning nil removes the entry.
    @inlinable
    package subscript(key: Key) -> Value? {
        get { index(of: key).map { sortedValues[$0] } }
        set {
            let position = lowerBound(of: key)
            let found = position < sortedKeys.count && sortedKeys[position] == key
            switch (newValue, found) {
            case (let value?, true):
                sortedValues[position] = value
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
    package subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
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

    /// Removes the entry of `key` and returns its value.
    @inlinable
    @discardableResult
    package mutating func removeValue(forKey key: Key) -> Value? {
        guard let position = index(of: key) else { return nil }
        sortedKeys.remove(at: position)
        return sortedValues.remove(at: position)
    }

    /// Removes every entry that satisfies the condition.
    @inlinable
    package mutating func removeAll(where condition: (Key, Value) -> Bool) {
        var kept = OrderedTable()
        for (key, value) in self where !condition(key, value) {
            kept.sortedKeys.append(key)
            kept.sortedValues.append(value)
        }
        self = kept
    }

    /// Removes every entry.
    @inlinable
    package mutating func removeAll() {
        self = OrderedTable()
    }

    /// A table with the same keys and transformed values.
    @inlinable
    package func mapValues<Other>(_ transform: (Value) -> Other) -> OrderedTable<Key, Other> {
        var result = OrderedTable<Key, Other>()
        result.sortedKeys = sortedKeys
        result.sortedValues = sortedValues.map(transform)
        return result
    }
}

extension OrderedTable: Sequence {
    /// Walks the entries in key order.
    package struct Iterator: IteratorProtocol {
        @usableFromInline let table: OrderedTable
        @usableFromInline var position = 0

        @usableFromInline
        init(table: OrderedTable) {
            self.table = table
        }

        /// The next entry in key order.
        @inlinable
        package mutating func next() -> (key: Key, value: Value)? {
            guard let entry = table.entry(at: position) else { return nil }
            position += 1
            return entry
        }
    }

    /// Starts a walk in key order.
    @inlinable
    package func makeIterator() -> Iterator { Iterator(table: self) }

    /// The exact number of entries.
    @inlinable package var underestimatedCount: Int { count }
}

extension OrderedTable: Equatable where Value: Equatable {}
extension OrderedTable: Hashable where Key: Hashable, Value: Hashable {}
extension OrderedTable: Sendable where Key: Sendable, Value: Sendable {}

/// A set kept sorted, so that every walk over it is the same on every device.
package struct OrderedSet<Element: Comparable> {
    @usableFromInline var members: [Element]

    /// An empty set.
    @inlinable
    package init() {
        members = []
    }

    /// The set of the elements of a sequence.
    @inlinable
    package init(_ elements: some Sequence<Element>) {
        members = []
        for element in elements.sorted() where members.last != element {
            members.append(element)
        }
    }

    /// The elements in ascending order.
    @inlinable package var elements: [Element] { members }
    /// Number of elements.
    @inlinable package var count: Int { members.count }
    /// Whether there is no element.
    @inlinable package var isEmpty: Bool { members.isEmpty }
    /// The smallest element.
    @inlinable package var first: Element? { members.first }
    /// The largest element.
    @inlinable package var last: Element? { members.last }

    /// Position of the first element that is not below `element`; `count` if there is none.
    @inlinable
    package func lowerBound(of element: Element) -> Int {
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

    /// Whether the set holds `element`.
    @inlinable
    package func contains(_ element: Element) -> Bool {
        let position = lowerBound(of: element)
        return position < members.count && members[position] == element
    }

    /// Adds `element`; false if it was there.
    @inlinable
    @discardableResult
    package mutating func insert(_ element: Element) -> Bool {
        let position = lowerBound(of: element)
        if position < members.count && members[position] == element { return false }
        members.insert(element, at: position)
        return true
    }

    /// Removes `element`; false if it was absent.
    @inlinable
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        let position = lowerBound(of: element)
        guard position < members.count && members[position] == element else { return false }
        members.remove(at: position)
        return true
    }
}

extension OrderedSet: Sequence {
    /// Starts a walk in ascending order.
    @inlinable
    package func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }

    /// The exact number of elements.
    @inlinable package var underestimatedCount: Int { count }
}

extension OrderedSet: Equatable {}
extension OrderedSet: Hashable where Element: Hashable {}
extension OrderedSet: Sendable where Element: Sendable {}
