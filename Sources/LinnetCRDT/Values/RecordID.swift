import LinnetWire

/// The identifier of a record: 1 to 64 bytes of UTF-8 without control characters.
///
/// Identifiers compare bytewise: two spellings of one letter are two identifiers.
public struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The bytes, which are all of its identity.
    public let utf8: [UInt8]

    /// Takes a text; nil unless it is a legal identifier.
    public init?(_ text: String) {
        guard RecordID.isLegal(text.utf8) else { return nil }
        utf8 = Array(text.utf8)
    }

    /// Takes bytes; nil unless they are a legal identifier.
    package init?(utf8 bytes: ArraySlice<UInt8>) {
        guard RecordID.isLegal(bytes) else { return nil }
        // Most identifiers are ASCII, and the check for that costs a fraction of the full one.
        guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil
        else { return nil }
        utf8 = Array(bytes)
    }

    /// The identifier as text.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// Feeds the bytes at once, and not one by one.
    public func hash(into hasher: inout Hasher) {
        unsafe utf8.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        hasher.combine(utf8.count)
    }

    /// Orders bytewise.
    public static func < (left: RecordID, right: RecordID) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Returns true when UTF-8 text has 1 to 64 bytes and no character of U+0000-1F or U+007F-9F.
    static func isLegal(_ utf8: some Swift.Collection<UInt8>) -> Bool {
        guard (1...Limits.recordIDBytes).contains(utf8.count) else { return false }
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte < 0x20 || byte == 0x7f { return false }
            if previous == 0xc2 && byte < 0xa0 { return false }
            previous = byte
        }
        return true
    }
}
