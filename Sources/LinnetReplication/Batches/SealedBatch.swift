import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The reason why bytes are not a batch, for everyone and for ever.
enum BatchRefusal: Error, Equatable, Sendable {
    case malformed(CRDTError)
    case wrongGroup
    case tooLarge
    case badSignature
}

/// A batch as its author signed it, of which nothing was decrypted.
struct SealedBatch: Equatable, Sendable {
    let header: BatchHeader
    let headerBytes: [UInt8]
    let ciphertext: [UInt8]
    let signature: [UInt8]
    let id: BatchID
    /// The author; after a fork this is not the name of its chain.
    let author: AuthorID

    /// The proof that its author signed it, without the contents.
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

    /// True when the signature is that of the device in the header.
    var isSigned: Bool {
        SigningKey.isValid(signature, .batch, id.array, publicKey: header.device.array)
    }

    /// Checks received bytes except for the signature.
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

    /// Makes the batch as its author signed it from what the store keeps.
    init(_ stored: BatchRow, in row: ChainRow, of group: GroupID?) {
        let header = BatchHeader(
            group: group ?? .zero, device: row.device, incarnation: row.incarnation,
            scope: row.scope, seq: stored.seq, prev: stored.prev, epoch: stored.epoch,
            nonce: stored.nonce, root: stored.root)
        self.init(
            trusted: header, headerBytes: header.encoded, ciphertext: stored.ciphertext,
            signature: stored.signature, id: stored.id, author: row.author)
    }

    /// True when the bytes are still those that the identifier names.
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

    /// Decrypts the ciphertext; throws when it does not open under the key.
    func open(key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        try XChaCha.open(
            key: key, nonce: header.nonce, ciphertext: ciphertext, associatedData: headerBytes)
    }
}

/// The keys of batches that were derived lately. Each lies in memory pages of its own, which take
/// longer to make than a batch takes to open.
///
/// It is a class, so that calls that only read a replica can use it.
final class BatchKeys {
    private struct Name: Comparable {
        let epoch: EpochID
        let author: AuthorID
        let scope: ScopeID
        let root: ScopeID

        static func < (left: Name, right: Name) -> Bool {
            (left.epoch, left.author, left.scope, left.root)
                < (right.epoch, right.author, right.scope, right.root)
        }
    }

    private static let most = 128
    private var keys: OrderedTable<Name, SharedSecret> = OrderedTable()
    /// The roots of scopes that were written to.
    private var roots = OrderedTable<ScopeID, ScopeID>()
    /// The keys of scopes that are known to be right, since they opened a batch or a peer has the
    /// same: what does not open under one of them never will.
    private var proven = OrderedSet<WantedKey>()

    /// Returns the key of an author's batches of format 1 in a scope and an epoch, or of format 2
    /// where they name a root; nil without the keys from which it derives.
    func key(
        of epoch: EpochKeys, author: AuthorID, scope: ScopeID, root: ScopeID?
    ) -> SharedSecret? {
        // No root is zero.
        let name = Name(epoch: epoch.id, author: author, scope: scope, root: root ?? .zero)
        if let known = keys[name] { return known }
        let key: SharedSecret
        if let root {
            guard let parent = epoch.scopeKey(root) else { return nil }
            key = SharedSecret(BatchName.key(ofRoot: parent.bytes, author: author, scope: scope))
        } else {
            guard let dataKey = epoch.dataKey else { return nil }
            key = SharedSecret(BatchName.key(dataKey.bytes, author: author, scope: scope))
        }
        if keys.count >= Self.most { keys.removeAll() }
        keys[name] = key
        return key
    }

    /// Notes the root of a scope of which the schema at hand tells none.
    func note(_ root: ScopeID, of scope: ScopeID) {
        if roots.count >= HandedKeys.most { roots.removeAll() }
        roots[scope] = root
    }

    /// The root of such a scope, while it is remembered.
    func root(of scope: ScopeID) -> ScopeID? { roots[scope] }

    /// Notes that a key of a scope is right.
    func prove(_ name: WantedKey) {
        if proven.elements.count >= HandedKeys.most { proven = OrderedSet() }
        proven.insert(name)
    }

    /// True when a key of a scope is known to be right.
    func isProven(_ name: WantedKey) -> Bool { proven.contains(name) }

    /// Forgets what was derived, as when other keys came.
    func forget() { keys.removeAll() }
}

/// The names of batches, branches, scopes and schemas, and the keys of batches.
enum BatchName {
    static func id(_ headerBytes: [UInt8], ciphertextHash: [UInt8]) -> BatchID {
        wide(Hash.blake2b(.batchID, headerBytes, ciphertextHash))
    }

    static func key(
        _ dataKey: borrowing SecretBytes, author: AuthorID, scope: ScopeID
    ) -> SecretBytes {
        KeyDerivation.derive(dataKey, .batchKey, author.array + scope.array)
    }

    static func key(
        ofRoot key: borrowing SecretBytes, author: AuthorID, scope: ScopeID
    ) -> SecretBytes {
        KeyDerivation.derive(key, .scopedBatchKey, author.array + scope.array)
    }

    /// Returns the name of the branch of `author` that left its chain at `seq` with the batch
    /// `first`.
    static func branch(
        author: AuthorID, scope: ScopeID, seq: UInt64, first: BatchID
    ) -> AuthorID {
        var number: [UInt8] = []
        BigEndian.append(seq, to: &number)
        return narrow(
            Hash.blake2b(.fork, author.array, scope.array, number, first.array, count: 16))
    }

    /// Returns the opaque name of a scope within a group.
    static func scope(_ name: String, firstDataKey: borrowing SecretBytes) -> ScopeID {
        let key = KeyDerivation.derive(firstDataKey, .scope, [])
        return narrow(Hash.keyed(by: key, nil, Array(name.utf8), count: 16))
    }

    /// Returns the name of a schema's text within a group, which tells nothing of the text to those
    /// who lack the key.
    static func schema(_ text: [UInt8], _ naming: NamingKeys) -> Bytes16 {
        narrow(Hash.keyed(by: naming.schemas.bytes, nil, text, count: 16))
    }

    /// Returns that name where the first data key is at hand.
    static func schema(_ text: [UInt8], firstDataKey: borrowing SecretBytes) -> Bytes16 {
        schema(text, NamingKeys(firstDataKey: firstDataKey))
    }

    static func wide(_ hash: [UInt8]) -> Bytes32 { Bytes32(hash) ?? .zero }
    static func narrow(_ hash: [UInt8]) -> Bytes16 { Bytes16(hash) ?? .zero }
}

/// The names of authors.
enum AuthorName {
    static func author(device: DeviceID, incarnation: Incarnation) -> AuthorID {
        BatchName.narrow(
            Hash.blake2b(.author, device.array, incarnation.array, count: 16))
    }
}
