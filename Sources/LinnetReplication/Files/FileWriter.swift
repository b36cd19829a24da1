package import LinnetCRDT
import LinnetCrypto
import LinnetWire

/// Turns the content of a file into sealed chunks, with little memory however long it is.
package struct FileWriter: ~Copyable {
    private let key: [UInt8]
    private let sealer: ChunkSealer
    private var cutter: FileCutter
    private var digest = BLAKE2bHasher()
    private var size: UInt64 = 0
    /// The chunks that no part of the list names yet.
    private var open = ChunkList()
    /// The parts of the list; empty while the value itself can name all chunks.
    private var parts = ChunkList()
    private var count = 0

    /// Begins a file under a key of 32 bytes.
    package init(key: [UInt8]) {
        self.key = key
        sealer = ChunkSealer(fileKey: key)
        cutter = FileCutter(GearTable(fileKey: key))
    }

    /// Takes more of the content, of which each byte is handed over once.
    package mutating func push(_ bytes: [UInt8]) throws(FileFault) {
        size += UInt64(bytes.count)
        guard size <= Limits.fileBytes else { throw .tooLarge }
        digest.update(bytes)
        cutter.push(bytes)
    }

    /// Returns the chunks that the next piece of the content becomes, the list's among them; none
    /// until more content comes.
    package mutating func next() throws(FileFault) -> [SealedChunk] {
        guard let content = cutter.next() else { return [] }
        return try take(content)
    }

    /// Returns the chunks of the rest of the content, piece by piece; none after the last.
    package mutating func rest() throws(FileFault) -> [SealedChunk] {
        guard let content = cutter.rest() else { return [] }
        return try take(content)
    }

    /// Ends the file once ``rest()`` returned nothing; returns its value and what is left to keep.
    package consuming func finish(
        name: String, mediaType: String
    ) throws(FileFault) -> (file: FileValue, chunks: [SealedChunk]) {
        var chunks: [SealedChunk] = []
        let isDeep = count > Limits.inlineChunks
        if isDeep, open.count > 0 {
            let part = sealer.seal(open.bytes, .list)
            parts.append(part.entry)
            chunks.append(part)
        }
        guard parts.count <= Limits.manifestParts else { throw .tooLarge }
        let file = FileValue(
            name: name, mediaType: mediaType, size: size, digest: digest.finish(), key: key,
            isDeep: isDeep, chunks: isDeep ? parts : open)
        guard let file else { throw .malformed }
        return (file, chunks)
    }

    private mutating func take(_ content: [UInt8]) throws(FileFault) -> [SealedChunk] {
        let chunk = sealer.seal(content, .content)
        count += 1
        var chunks = [chunk]
        if count == Limits.inlineChunks + 1 {
            // The value cannot name them all any more: parts of the list do, from the first one on.
            let first = open
            open = ChunkList()
            for index in 0..<first.count { list(first[index], &chunks) }
        }
        if count > Limits.inlineChunks {
            list(chunk.entry, &chunks)
        } else {
            open.append(chunk.entry)
        }
        guard parts.count <= Limits.manifestParts else { throw .tooLarge }
        return chunks
    }

    /// Names a chunk in the open part of the list, which ends where the name says.
    private mutating func list(_ entry: ChunkEntry, _ chunks: inout [SealedChunk]) {
        open.append(entry)
        let name = entry.name.array
        let endsPart = name[0] == 0 && name[1] & 1 == 0
        guard endsPart || open.count == Limits.chunksPerPart else { return }
        let part = sealer.seal(open.bytes, .list)
        parts.append(part.entry)
        chunks.append(part)
        open = ChunkList()
    }
}
