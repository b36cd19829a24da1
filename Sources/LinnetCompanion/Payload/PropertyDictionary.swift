import LinnetWire

/// Property-list values under names, in the one order of their encoded names.
package struct PropertyDictionary: Equatable, Sendable {
    /// One name and its value.
    package struct Entry: Equatable, Sendable {
        /// The name.
        package let key: String
        /// The value.
        package var value: PropertyValue

        /// Canonical CBOR orders names by length in bytes, then bytewise.
        fileprivate func precedes(_ other: String) -> Bool {
            let (left, right) = (key.utf8, other.utf8)
            if left.count != right.count { return left.count < right.count }
            return left.lexicographicallyPrecedes(right)
        }

        /// Names are the same when their bytes are.
        fileprivate func isNamed(_ other: String) -> Bool { key.utf8.elementsEqual(other.utf8) }
    }

    /// All entries in order.
    package private(set) var entries: [Entry] = []

    /// An empty dictionary.
    package init() {}

    /// True when there is no entry.
    package var isEmpty: Bool { entries.isEmpty }

    /// The value of a name; assigning nil removes the entry.
    package subscript(key: String) -> PropertyValue? {
        get { entries.first { $0.isNamed(key) }?.value }
        set {
            let index = entries.firstIndex { !$0.precedes(key) } ?? entries.count
            let isThere = index < entries.count && entries[index].isNamed(key)
            switch (newValue, isThere) {
            case (let value?, true): entries[index].value = value
            case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
            case (nil, true): entries.remove(at: index)
            case (nil, false): break
            }
        }
    }
}

extension PropertyDictionary: ExpressibleByDictionaryLiteral {
    /// The dictionary of a literal; of two values for one name the later one stays.
    package init(dictionaryLiteral elements: (String, PropertyValue)...) {
        for (key, value) in elements { self[key] = value }
    }
}

extension PropertyDictionary {
    func write(to writer: inout CBORWriter, depth: Int) throws(CompanionError) {
        writer.map(entries.count)
        for entry in entries {
            writer.text(entry.key)
            try entry.value.write(to: &writer, depth: depth)
        }
    }

    static func read(
        from reader: inout CBORReader, depth: Int
    ) throws(WireError) -> PropertyDictionary {
        var dictionary = PropertyDictionary()
        for _ in 0..<(try reader.map(max: Payload.bytesMaximum)) {
            let key = try reader.text(max: Payload.bytesMaximum)
            if let last = dictionary.entries.last, !last.precedes(key) { throw .nonCanonical }
            let value = try PropertyValue.read(from: &reader, depth: depth)
            dictionary.entries.append(Entry(key: key, value: value))
        }
        return dictionary
    }
}
