package import LinnetWire

/// Reads whole canonical values with this module's errors.
enum CanonicalForm {
    /// Returns the value that `read` makes of `bytes`, all of which it must consume.
    static func read<Value>(
        _ bytes: [UInt8], maxItems: Int = Limits.cborItems,
        _ read: (inout CBORReader) throws(WireError) -> Value
    ) throws(MembershipError) -> Value {
        do {
            var reader = CBORReader(bytes, maxItems: maxItems)
            let value = try read(&reader)
            try reader.finish()
            return value
        } catch {
            throw .malformed(error)
        }
    }
}

extension MemberRecord {
    /// Returns the value that `read` makes of the payload of a record of one kind; nil for another
    /// kind, and for bytes that mean nothing, which are passed on and say nothing here.
    func payload<Value>(
        of kind: UInt8, _ read: (inout CBORReader) throws(WireError) -> Value
    ) -> Value? {
        guard self.kind == kind, let content else { return nil }
        do throws(MembershipError) {
            return try CanonicalForm.read(content, read)
        } catch {
            return nil
        }
    }
}

extension CBORReader {
    /// Reads an array of at most `maximum` entries, each by `entry`.
    mutating func list<Entry>(
        max maximum: Int, _ entry: (inout CBORReader) throws(WireError) -> Entry
    ) throws(WireError) -> [Entry] {
        var entries: [Entry] = []
        for _ in 0..<(try array(max: maximum)) {
            entries.append(try entry(&self))
        }
        return entries
    }

    /// Reads a byte string of exactly `count` bytes.
    mutating func bytes(exactly count: Int) throws(WireError) -> [UInt8] {
        let value = try bytes(max: count)
        guard value.count == count else { throw .badLength }
        return value
    }

    /// Reads an absent value as nil, and any other one by `read`.
    package mutating func optional<Value>(
        _ read: (inout CBORReader) throws(WireError) -> Value
    ) throws(WireError) -> Value? {
        guard try peek() == .null else { return try read(&self) }
        try null()
        return nil
    }
}
