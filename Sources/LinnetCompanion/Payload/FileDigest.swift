import LinnetCrypto
package import LinnetWire

/// The hash that names a file's content, taken part by part so that it can rest between two parts:
/// each step is BLAKE2b (RFC 7693) of the step before and the next part.
package struct FileDigest: Equatable, Sendable {
    /// Bytes of every part but the last.
    package static let partBytes = Limits.companionPartBytes

    /// The digest of everything so far.
    package private(set) var value = Bytes32.zero

    /// The digest of nothing.
    package init() {}

    /// Goes on from a digest of earlier parts.
    init(value: Bytes32) { self.value = value }

    /// Adds the next part: `partBytes` bytes, fewer only if it is the last one.
    package mutating func add(_ part: [UInt8]) {
        value = Bytes32(Hash.blake2b(.companionFile, value.array, part)) ?? .zero
    }

    /// The digest of a whole content.
    package static func digest(of content: [UInt8]) -> Bytes32 {
        var digest = FileDigest()
        var start = 0
        while start < content.count {
            let end = min(start + partBytes, content.count)
            digest.add(Array(content[start..<end]))
            start = end
        }
        return digest.value
    }
}
