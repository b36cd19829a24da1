import LinnetCRDT
import LinnetCrypto
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
        guard ciphertext.count <= Limits.batchCiphertextBytes else { throw .tooLarge }
        let header: BatchHeader
        do {
            header = try BatchHeader.decode(headerBytes)
        } catch {
            throw .malformed(error)
        }
        guard header.group == group else { throw .wrongGroup }
        let id = BatchName.id(headerBytes, ciphertextHash: Hash.blake2b(nil, ciphertext))
        guard
            SigningKey.isValid(
                signature, .batch, id.array, publicKey: header.device.array)
        else { throw .badSignature }
        self.init(
            trusted: header, headerBytes: headerBytes, ciphertext: ciphertext,
            signature: signature, id: id,
            author: AuthorName.author(device: header.device, incarnation: header.incarnation))
    }

    /// Takes over bytes that were checked before, as those in the store.
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

    /// Encrypts, then signs.
    static func seal(
        _ plaintext: [UInt8], header: BatchHeader, dataKey: borrowing SecretBytes,
        signer: borrowing SigningKey
    ) -> SealedBatch {
        let headerBytes = header.encoded
        let author = AuthorName.author(device: header.device, incarnation: header.incarnation)
        let key = BatchName.key(dataKey, author: author, scope: header.scope)
        let ciphertext = XChaCha.seal(
            key: key, nonce: header.nonce, plaintext: plaintext, associatedData: headerBytes)
        let id = BatchName.id(headerBytes, ciphertextHash: Hash.blake2b(nil, ciphertext))
        return SealedBatch(
            trusted: header, headerBytes: headerBytes, ciphertext: ciphertext,
            signature: signer.sign(.batch, id.array), id: id, author: author)
    }

    /// Decrypts; a batch that does not open is reported and has no effect.
    func open(dataKey: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        let key = BatchName.key(dataKey, author: author, scope: header.scope)
        return try XChaCha.open(
            key: key, nonce: header.nonce, ciphertext: ciphertext, associatedData: headerBytes)
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
