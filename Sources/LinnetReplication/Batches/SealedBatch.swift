import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

/// Why bytes are no batch, for everyone and for ever.
enum BatchRefusal: Error, Equatable, Sendable {
    case malformed(CRDTError)
    case wrongGroup
    case tooLarge
    case badSignature
}

/// A batch as its author signed it: nothing here was decrypted.
struct SealedBatch: Equatable, Sendable {
    let header: BatchHeader
    let headerBytes: [UInt8]
    let ciphertext: [UInt8]
    let signature: [UInt8]
    let id: BatchID
    /// Who wrote it; after a fork this is not the name of its chain.
    let author: AuthorID

    /// What proves that its author signed it, without the contents.
    var signedHeader: SignedHeader {
        SignedHeader(
            header: headerBytes, ciphertextHash: Hash.blake2b(nil, ciphertext),
            signature: signature)
    }

    /// Checks received bytes up to the signature; the link to the predecessor comes later.
    init(
        headerBytes: [UInt8], ciphertext: [UInt8], signature: [UInt8], group: GroupID
    ) throws(BatchRefusal) {
        self = try SealedBatch.unproven(
            headerBytes: headerBytes, ciphertext: ciphertext, signature: signature, group: group)
        guard isSigned else { throw .badSignature }
    }

    /// Whether the signature is that of the device in the header.
    var isSigned: Bool {
        SigningKey.isValid(signature, .batch, id.array, publicKey: header.device.array)
    }

    /// Checks received bytes but for the signature.
    static func unproven(
        headerBytes: [UInt8], ciphertext: [UInt8], signature: [UInt8], group: GroupID
    ) throws(BatchRefusal) -> SealedBatch {
        guard ciphertext.count <= Limits.batchCiphertextBytes else { throw .tooLarge }
        let header: BatchHeader
        do {
            header = try BatchHeader.decode(headerBytes)
        } catch {
            throw .malformed(error)
        }
        guard header.group == group else { throw .wrongGroup }
        let id = BatchName.id(headerBytes, ciphertextHash: Hash.blake2b(nil, ciphertext))
        return SealedBatch(
            trusted: header, headerBytes: headerBytes, ciphertext: ciphertext,
            signature: signature, id: id,
            author: AuthorName.author(device: header.device, incarnation: header.incarnation))
    }

    /// The batch as its author signed it, from what the store keeps.
    init(_ stored: BatchRow, in row: ChainRow, of group: GroupID?) {
        let header = BatchHeader(
            group: group ?? .zero, device: row.device, incarnation: row.incarnation,
            scope: row.scope, seq: stored.seq, prev: stored.prev, epoch: stored.epoch,
            nonce: stored.nonce)
        self.init(
            trusted: header, headerBytes: header.encoded, ciphertext: stored.ciphertext,
            signature: stored.signature, id: stored.id, author: row.author)
    }

    /// Whether the bytes are still those that the identifier names.
    var isIntact: Bool {
        BatchName.id(headerBytes, ciphertextHash: Hash.blake2b(nil, ciphertext)) == id
    }

    /// Takes over bytes that were checked before.
    init(
        trusted header: BatchHeader, headerBytes: [UInt8], ciphertext: [UInt8],
        signature: [UInt8], id: BatchID, author: AuthorID
    ) {
        self.header = header
        self.headerBytes = headerBytes
        self.ciphertext = ciphertext
        self.signature = signature
        self.id = id
        self.author = author
    }

    /// Encrypts under the key of the author's batches in this scope and epoch, then signs.
    static func seal(
        _ plaintext: [UInt8], header: BatchHeader, author: AuthorID, key: borrowing SecretBytes,
        signer: borrowing SigningKey
    ) -> SealedBatch {
        let headerBytes = header.encoded
        let ciphertext = XChaCha.seal(
            key: key, nonce: header.nonce, plaintext: plaintext, associatedData: headerBytes)
        let id = BatchName.id(headerBytes, ciphertextHash: Hash.blake2b(nil, ciphertext))
        return SealedBatch(
            trusted: header, headerBytes: headerBytes, ciphertext: ciphertext,
            signature: signer.sign(.batch, id.array), id: id, author: author)
    }

    /// Decrypts; a batch that does not open is reported and has no effect.
    func open(key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        try XChaCha.open(
            key: key, nonce: header.nonce, ciphertext: ciphertext, associatedData: headerBytes)
    }
}

/// Keys of batches that were derived lately: each lies in memory pages of its own, which take
/// longer to make than a batch takes to open.
///
/// A class, so that those who only read a replica can use it.
final class BatchKeys {
    private struct Name: Comparable {
        let epoch: EpochID
        let author: AuthorID
        let scope: ScopeID

        static func < (left: Name, right: Name) -> Bool {
            (left.epoch, left.author, left.scope) < (right.epoch, right.author, right.scope)
        }
    }

    private static let most = 128
    private var keys: OrderedTable<Name, SharedSecret> = OrderedTable()

    /// The key of an author's batches in a scope and an epoch.
    func key(
        epoch: EpochID, author: AuthorID, scope: ScopeID, dataKey: SharedSecret
    ) -> SharedSecret {
        let name = Name(epoch: epoch, author: author, scope: scope)
        if let known = keys[name] { return known }
        if keys.count >= Self.most { keys.removeAll() }
        let key = SharedSecret(BatchName.key(dataKey.bytes, author: author, scope: scope))
        keys[name] = key
        return key
    }
}

/// How batches and branches are named.
enum BatchName {
    static func id(_ headerBytes: [UInt8], ciphertextHash: [UInt8]) -> BatchID {
        wide(Hash.blake2b(.batchID, headerBytes, ciphertextHash))
    }

    static func key(
        _ dataKey: borrowing SecretBytes, author: AuthorID, scope: ScopeID
    ) -> SecretBytes {
        KeyDerivation.derive(dataKey, .batchKey, author.array + scope.array)
    }

    /// The name of the branch of `author` that left its chain at `seq` with `first`.
    static func branch(
        author: AuthorID, scope: ScopeID, seq: UInt64, first: BatchID
    ) -> AuthorID {
        var number: [UInt8] = []
        BigEndian.append(seq, to: &number)
        return narrow(
            Hash.blake2b(.fork, author.array, scope.array, number, first.array, count: 16))
    }

    /// The opaque name of a scope within a group.
    static func scope(_ name: String, firstDataKey: borrowing SecretBytes) -> ScopeID {
        let key = KeyDerivation.derive(firstDataKey, .scope, [])
        return narrow(Hash.keyed(by: key, nil, Array(name.utf8), count: 16))
    }

    /// The name of a schema's text within a group: it tells nobody who lacks the key what it says.
    static func schema(_ text: [UInt8], firstDataKey: borrowing SecretBytes) -> Bytes16 {
        let key = KeyDerivation.derive(firstDataKey, .schema, [])
        return narrow(Hash.keyed(by: key, nil, text, count: 16))
    }

    static func wide(_ hash: [UInt8]) -> Bytes32 { Bytes32(hash) ?? .zero }
    static func narrow(_ hash: [UInt8]) -> Bytes16 { Bytes16(hash) ?? .zero }
}

/// How authors are named.
enum AuthorName {
    static func author(device: DeviceID, incarnation: Incarnation) -> AuthorID {
        BatchName.narrow(
            Hash.blake2b(.author, device.array, incarnation.array, count: 16))
    }
}
