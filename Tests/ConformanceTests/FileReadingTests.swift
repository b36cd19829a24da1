import LinnetCRDT
import LinnetCrypto
import LinnetReplication
import LinnetWire
import Testing

/// The files of the vectors, read by what the page says alone.
@Suite struct FileReadingTests {
    private let gear = FileFacts.gear(FileVectors.key)

    @Test(arguments: [0, 3, 65_536, 65_537, 1_000_000, 20 << 20])
    func `content is cut where the page says`(_ count: Int) throws {
        let content = FileVectors.content(count)
        let (file, chunks) = try FileVectors.written(content)
        let parts = Set(
            file.isDeep ? (0..<file.chunks.count).map { file.chunks[$0] } : [])
        let lengths = chunks.map(\.entry).filter { !parts.contains($0) }.map(\.length)
        #expect(lengths == FileFacts.lengths(content, gear))
        #expect(file.digest == Hash.blake2b(nil, content))
    }

    @Test func `a chunk is sealed as the page says`() throws {
        let secret = SecretBytes(copying: FileVectors.key)
        let piece = FileVectors.content(70_000)
        for level in [ChunkSealer.Level.content, .list] {
            let nonce = Array(
                Hash.keyed(
                    by: secret, .chunkNonce, [level.rawValue], Hash.blake2b(nil, piece)
                ).prefix(24))
            let sealed = XChaCha.seal(
                key: KeyDerivation.derive(secret, .chunkKey), nonce: nonce, plaintext: piece,
                associatedData: [level.rawValue])
            let chunk = ChunkSealer(fileKey: FileVectors.key).seal(piece, level)
            #expect(chunk.bytes == nonce + sealed)
            #expect(chunk.entry.name.array == Hash.blake2b(nil, nonce + sealed))
        }
    }
}
