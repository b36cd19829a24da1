package import LinnetCRDT
import LinnetCrypto
package import LinnetWire

/// Seals the chunks of a file and opens them again. The same content under the same key always
/// becomes the same chunk, so that versions of a file share what they have in common.
package struct ChunkSealer: ~Copyable {
    /// The contents that chunks can have.
    package enum Level: UInt8, Sendable {
        /// A piece of the file.
        case content = 0
        /// A part of the list of such pieces.
        case list = 1
    }

    private let key: SecretBytes
    private let nonceKey: SecretBytes

    /// Derives the keys from the 32 bytes of a file's key.
    package init(fileKey: [UInt8]) {
        let file = SecretBytes(copying: fileKey)
        key = KeyDerivation.derive(file, .chunkKey)
        nonceKey = file
    }

    /// Seals a piece of at most ``Limits/chunkMaximumBytes`` bytes.
    package func seal(_ content: [UInt8], _ level: Level) -> SealedChunk {
        let hash = Hash.blake2b(nil, content)
        let nonce = Hash.keyed(by: nonceKey, .chunkNonce, [level.rawValue], hash)
        let bytes = XChaCha.sealWithNonce(
            key: key, nonce: Array(nonce.prefix(XChaCha.nonceBytes)), plaintext: content,
            associatedData: [level.rawValue])
        return SealedChunk(
            entry: ChunkEntry(name: Self.name(of: bytes), length: content.count), bytes: bytes)
    }

    /// Opens a chunk; throws where it is not what was sealed under this key.
    package func open(_ chunk: [UInt8], _ level: Level) throws(FileFault) -> [UInt8] {
        do {
            return try XChaCha.openWithNonce(
                key: key, box: chunk, associatedData: [level.rawValue])
        } catch {
            throw .altered
        }
    }

    /// Returns the name of a sealed chunk: BLAKE2b-256 of its bytes.
    package static func name(of chunk: [UInt8]) -> Bytes32 {
        guard let name = Bytes32(Hash.blake2b(nil, chunk)) else {
            preconditionFailure("a hash of 256 bits has 32 bytes")
        }
        return name
    }
}

/// A sealed chunk and how a list names it.
package struct SealedChunk: Sendable {
    /// Its name, and the length of what is sealed.
    package let entry: ChunkEntry
    /// The sealed bytes.
    package let bytes: [UInt8]
}

/// The reason why a file cannot be attached, fetched or read.
package enum FileFault: Error, Equatable, Sendable {
    /// The file's value, or its list, says something that cannot be so.
    case malformed
    /// The content is not what the file's value says, or not what was kept.
    case altered
    /// A chunk is not here.
    case notHeld
    /// The device keeps as many bytes of files as it may.
    case noRoom
    /// The file is larger than a file may be.
    case tooLarge
    /// As many files are fetched as may be at a time.
    case tooMany
}
