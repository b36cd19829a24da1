/// Writes the deterministic subset of CBOR (RFC 8949 section 4.2) that every signed byte is in.
///
/// The caller gives each container as many items as it announced, and map keys in ascending
/// order of their encoded bytes.
package struct CBORWriter: Equatable, Sendable {
    /// The written bytes, and room for more.
    private var storage: [UInt8]
    private var used = 0

    /// The bytes that were written so far.
    package var bytes: [UInt8] { used == storage.count ? storage : Array(storage[..<used]) }

    /// An empty writer, with room for as many bytes as are expected.
    package init(capacity: Int = 0) {
        storage = capacity > 0 ? Self.room(capacity) : []
    }

    /// True when both wrote the same bytes.
    package static func == (left: CBORWriter, right: CBORWriter) -> Bool {
        left.bytes == right.bytes
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
        append(value)
    }

    /// Writes a byte string of 8 bytes.
    package mutating func bytes(_ value: Bytes8) {
        makeRoom(for: 9)
        unsafe storage.withUnsafeMutableBytes { target in
            unsafe target[used] = Self.bytesHead | UInt8(Bytes8.count)
            unsafe Self.store(value.word0, in: target, at: used + 1)
        }
        used += 9
    }

    /// Writes a byte string of 16 bytes.
    package mutating func bytes(_ value: Bytes16) {
        makeRoom(for: 17)
        unsafe storage.withUnsafeMutableBytes { target in
            unsafe target[used] = Self.bytesHead | UInt8(Bytes16.count)
            unsafe Self.store(value.word0, in: target, at: used + 1)
            unsafe Self.store(value.word1, in: target, at: used + 9)
        }
        used += 17
    }

    /// Writes a byte string of 32 bytes.
    package mutating func bytes(_ value: Bytes32) {
        makeRoom(for: 34)
        unsafe storage.withUnsafeMutableBytes { target in
            // A length above 23 follows in a byte of its own.
            unsafe target[used] = Self.bytesHead | 24
            unsafe target[used + 1] = UInt8(Bytes32.count)
            unsafe Self.store(value.word0, in: target, at: used + 2)
            unsafe Self.store(value.word1, in: target, at: used + 10)
            unsafe Self.store(value.word2, in: target, at: used + 18)
            unsafe Self.store(value.word3, in: target, at: used + 26)
        }
        used += 34
    }

    /// The first byte of a byte string, without its length.
    private static let bytesHead: UInt8 = 2 << 5

    private static func store(
        _ word: UInt64, in target: UnsafeMutableRawBufferPointer, at offset: Int
    ) {
        unsafe target.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt64.self)
    }

    /// Writes a text, its UTF-8 bytes unchanged.
    package mutating func text(_ value: String) {
        head(major: 3, argument: UInt64(value.utf8.count))
        var value = value
        value.withUTF8 { unsafe append($0) }
    }

    /// Writes a text that is at hand as valid UTF-8.
    package mutating func text(utf8 value: [UInt8]) {
        head(major: 3, argument: UInt64(value.count))
        append(value)
    }

    /// The number of bytes that a number takes, or the announcement of a length.
    package static func headCount(_ argument: UInt64) -> Int {
        switch argument {
        case ..<24: 1
        case ...0xff: 2
        case ...0xffff: 3
        case ...0xffff_ffff: 5
        default: 9
        }
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
        byte(value ? 0xf5 : 0xf4)
    }

    /// Writes the absence of a value.
    package mutating func null() {
        byte(0xf6)
    }

    /// Writes a number that is not NaN in 64 bits, minus zero as zero.
    package mutating func double(_ value: Double) {
        precondition(!value.isNaN, "NaN has no canonical form")
        byte(0xfb)
        word((value == 0 ? 0 : value).bitPattern)
    }

    /// Appends items that are already in canonical form.
    package mutating func raw(_ encoded: [UInt8]) {
        append(encoded)
    }

    private mutating func head(major: UInt8, argument: UInt64) {
        let type = major << 5
        if argument < 24 {
            byte(type | UInt8(truncatingIfNeeded: argument))
        } else if argument <= 0xff {
            byte(type | 24)
            byte(UInt8(truncatingIfNeeded: argument))
        } else {
            longHead(type, argument)
        }
    }

    private mutating func longHead(_ type: UInt8, _ argument: UInt64) {
        if argument <= 0xffff {
            byte(type | 25)
            byte(UInt8(truncatingIfNeeded: argument >> 8))
            byte(UInt8(truncatingIfNeeded: argument))
        } else if argument <= 0xffff_ffff {
            byte(type | 26)
            makeRoom(for: 4)
            unsafe storage.withUnsafeMutableBytes { target in
                unsafe target.storeBytes(
                    of: UInt32(truncatingIfNeeded: argument).bigEndian, toByteOffset: used,
                    as: UInt32.self)
            }
            used += 4
        } else {
            byte(type | 27)
            word(argument)
        }
    }

    private mutating func word(_ value: UInt64) {
        makeRoom(for: 8)
        unsafe storage.withUnsafeMutableBytes { target in
            unsafe target.storeBytes(of: value.bigEndian, toByteOffset: used, as: UInt64.self)
        }
        used += 8
    }

    private mutating func byte(_ byte: UInt8) {
        makeRoom(for: 1)
        storage[used] = byte
        used += 1
    }

    private mutating func append(_ other: [UInt8]) {
        unsafe other.withUnsafeBufferPointer { unsafe append($0) }
    }

    private mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
        guard let from = source.baseAddress else { return }
        makeRoom(for: source.count)
        unsafe storage.withUnsafeMutableBufferPointer { target in
            guard let to = target.baseAddress else { return }
            unsafe (to + used).update(from: from, count: source.count)
        }
        used += source.count
    }

    /// Zeros to copy: an array that is made of nothing asks the runtime for its type each time.
    private static let zeros = [UInt8](repeating: 0, count: 1_024)

    private static func room(_ count: Int) -> [UInt8] {
        count <= zeros.count ? Array(zeros[..<count]) : [UInt8](repeating: 0, count: count)
    }

    private mutating func makeRoom(for count: Int) {
        guard storage.count - used < count else { return }
        let size = max(64, 2 * storage.count, used + count)
        var larger = Self.room(size)
        unsafe larger.withUnsafeMutableBytes { larger in
            unsafe storage.withUnsafeBytes { written in
                unsafe larger.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: written[..<used]))
            }
        }
        storage = larger
    }
}
