import LinnetWire

/// A file as a record holds it: its description, the key of its content, and the names of the
/// chunks in which the content is kept.
package struct FileValue: Hashable, Sendable {
    /// The name, without a folder.
    package let name: String
    /// The media type (RFC 6838), such as image/png; empty when it is not known.
    package let mediaType: String
    /// The length of the content, in bytes.
    package let size: UInt64
    /// BLAKE2b-256 of the content.
    package let digest: [UInt8]
    /// The 32 bytes under which the content is cut and sealed.
    package let key: [UInt8]
    /// True when the chunks named here are parts of the list of the content's chunks.
    package let isDeep: Bool
    /// The chunks that the value names.
    package let chunks: ChunkList

    /// Joins the parts; nil where they break a rule of such values.
    package init?(
        name: String, mediaType: String, size: UInt64, digest: [UInt8], key: [UInt8],
        isDeep: Bool, chunks: ChunkList
    ) {
        let most = isDeep ? Limits.manifestParts : Limits.inlineChunks
        guard Self.isName(name), mediaType.utf8.count <= Limits.mediaTypeBytes,
            Self.isPlain(mediaType), size <= Limits.fileBytes, digest.count == 32,
            key.count == 32, chunks.count <= most
        else { return nil }
        if isDeep {
            guard chunks.count > 0, chunks.areParts else { return nil }
        } else {
            guard chunks.total == size, chunks.areContent(endsFile: true) else { return nil }
        }
        self.name = name
        self.mediaType = mediaType
        self.size = size
        self.digest = digest
        self.key = key
        self.isDeep = isDeep
        self.chunks = chunks
    }

    /// Reads a value; nil when it is no file.
    package init?(_ value: Value) {
        guard case .list(let parts) = value, parts.count == 7,
            case (.text(let name), .text(let mediaType)) = (parts[0], parts[1]),
            case (.int(let size), .bytes(let digest)) = (parts[2], parts[3]),
            case (.bytes(let key), .int(let depth)) = (parts[4], parts[5]),
            case .bytes(let entries) = parts[6],
            let length = UInt64(exactly: size), depth == 0 || depth == 1,
            let chunks = ChunkList(entries)
        else { return nil }
        self.init(
            name: name, mediaType: mediaType, size: length, digest: digest, key: key,
            isDeep: depth == 1, chunks: chunks)
    }

    /// The value that a field holds.
    package var value: Value {
        .list([
            .text(name), .text(mediaType), .int(Int64(size)), .bytes(digest), .bytes(key),
            .int(isDeep ? 1 : 0), .bytes(chunks.bytes),
        ])
    }

    /// Returns true for a name that is no path, so that a file can be written under it.
    private static func isName(_ name: String) -> Bool {
        (1...Limits.fileNameBytes).contains(name.utf8.count) && isPlain(name)
            && !name.utf8.contains(UInt8(ascii: "/")) && name != "." && name != ".."
    }

    /// Returns true for a text without control characters.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value > 0x1f && !(0x7f...0x9f).contains($0.value) }
    }
}

extension FileValue: CustomStringConvertible {
    /// The file as a person reads it; the key is not shown.
    package var description: String {
        let kind = mediaType.isEmpty ? "" : mediaType + ", "
        return "\(name) (\(kind)\(size) \(size == 1 ? "byte" : "bytes"))"
    }
}
