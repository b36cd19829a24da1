/// Writes the deterministic subset of CBOR (RFC 8949 section 4.2) that every signed byte is in.
///
/// The caller gives each container as many items as it announced, and map keys in ascending
/// order of their encoded bytes.
package struct CBORWriter: Equatable, Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    /// An empty writer, with room for as many bytes as are expected.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes a non-negative integer.
    package mutating func unsigned(_ value: UInt64) {
        head(major: 0, argument: value)
    }

    /// Writes an integer of either sign.
    package mutating func signed(_ value: Int64) {
        if value >= 0 {
            head(major: 0, argument: UInt64(value))
        } else {
            head(major: 1, argument: UInt64(bitPattern: ~value))
        }
    }

    /// Writes a byte string.
    package mutating func bytes(_ value: [UInt8]) {
        head(major: 2, argument: UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Writes a byte string of 8 bytes.
    package mutating func bytes(_ value: Bytes8) {
        head(major: 2, argument: UInt64(Bytes8.count))
        value.append(to: &bytes)
    }

    /// Writes a byte string of 16 bytes.
    package mutating func bytes(_ value: Bytes16) {
        head(major: 2, argument: UInt64(Bytes16.count))
        value.append(to: &bytes)
    }

    /// Writes a byte string of 32 bytes.
    package mutating func bytes(_ value: Bytes32) {
        head(major: 2, argument: UInt64(Bytes32.count))
        value.append(to: &bytes)
    }

    /// Writes a text, its UTF-8 bytes unchanged.
    package mutating func text(_ value: String) {
        head(major: 3, argument: UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// Announces an array of `count` items.
    package mutating func array(_ count: Int) {
        precondition(count >= 0, "a container has no negative count")
        head(major: 4, argument: UInt64(count))
    }

    /// Announces a map of `count` keys, each followed by its value.
    package mutating func map(_ count: Int) {
        precondition(count >= 0, "a container has no negative count")
        head(major: 5, argument: UInt64(count))
    }

    /// Writes true or false.
    package mutating func bool(_ value: Bool) {
        bytes.append(value ? 0xf5 : 0xf4)
    }

    /// Writes the absence of a value.
    package mutating func null() {
        bytes.append(0xf6)
    }

    /// Writes a number that is not NaN in 64 bits, minus zero as zero.
    package mutating func double(_ value: Double) {
        precondition(!value.isNaN, "NaN has no canonical form")
        bytes.append(0xfb)
        BigEndian.append((value == 0 ? 0 : value).bitPattern, to: &bytes)
    }

    /// Appends items that are already in canonical form.
    package mutating func raw(_ encoded: [UInt8]) {
        bytes.append(contentsOf: encoded)
    }

    private mutating func head(major: UInt8, argument: UInt64) {
        let type = major << 5
        if argument < 24 {
            bytes.append(type | UInt8(argument))
        } else if let short = UInt8(exactly: argument) {
            bytes.append(type | 24)
            bytes.append(short)
        } else if let short = UInt16(exactly: argument) {
            bytes.append(type | 25)
            BigEndian.append(short, to: &bytes)
        } else if let short = UInt32(exactly: argument) {
            bytes.append(type | 26)
            BigEndian.append(short, to: &bytes)
        } else {
            bytes.append(type | 27)
            BigEndian.append(argument, to: &bytes)
        }
    }
}
