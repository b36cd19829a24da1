package import LinnetWire

/// One chunk of a file: its name and the length of what is sealed in it.
package struct ChunkEntry: Hashable, Sendable {
    /// BLAKE2b-256 of the sealed chunk.
    package let name: Bytes32
    /// The bytes that are sealed in it.
    package let length: Int

    /// Joins the parts.
    package init(name: Bytes32, length: Int) {
        self.name = name
        self.length = length
    }

    /// The bytes of the sealed chunk.
    package var sealedBytes: Int { length + Limits.chunkOverheadBytes }
}

/// The names and lengths of chunks in their order, in 36 bytes each: the name and a big-endian
/// length of 32 bits.
package struct ChunkList: Hashable, Sendable {
    /// The bytes of one entry.
    package static let entryBytes = 36

    /// The bytes of the list.
    package private(set) var bytes: [UInt8]

    /// An empty list.
    package init() { bytes = [] }

    /// Reads a list; nil when the last entry is incomplete.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count % Self.entryBytes == 0 else { return nil }
        self.bytes = bytes
    }

    /// The number of entries.
    package var count: Int { bytes.count / Self.entryBytes }

    /// The entry at an index below ``count``.
    package subscript(index: Int) -> ChunkEntry {
        let start = index * Self.entryBytes
        var length = 0
        for byte in bytes[start + 32..<start + 36] { length = length << 8 | Int(byte) }
        guard let name = Bytes32(Array(bytes[start..<start + 32])) else {
            preconditionFailure("an entry has a name of 32 bytes")
        }
        return ChunkEntry(name: name, length: length)
    }

    /// Adds an entry at the end.
    package mutating func append(_ entry: ChunkEntry) {
        bytes += entry.name.array
        BigEndian.append(UInt32(clamping: entry.length), to: &bytes)
    }

    /// The sum of all lengths.
    package var total: UInt64 {
        (0..<count).reduce(0) { $0 + UInt64(self[$1].length) }
    }

    /// Returns true when every length is one that a chunk of content may have. Only the last chunk
    /// of a file may be short.
    package func areContent(endsFile: Bool) -> Bool {
        (0..<count).allSatisfy { index in
            let isLast = endsFile && index == count - 1
            let least = isLast ? 1 : Limits.chunkMinimumBytes
            return (least...Limits.chunkMaximumBytes).contains(self[index].length)
        }
    }

    /// True when every length is one that a part of a list may have.
    var areParts: Bool {
        let most = Limits.chunksPerPart * Self.entryBytes
        return (0..<count).allSatisfy { index in
            let length = self[index].length
            return length % Self.entryBytes == 0 && (Self.entryBytes...most).contains(length)
        }
    }
}
