package import LinnetCrypto
package import LinnetWire

/// The keys that a device holds of one epoch.
package final class EpochKeys: Sendable {
    /// The epoch.
    package let id: EpochID
    /// Its number; higher is newer.
    package let number: UInt64
    /// The group.
    package let group: GroupID
    /// The key that every device of the epoch holds; nil if only a later data key led here.
    package let networkKey: SharedSecret?
    /// The key that every reader of the epoch holds; nil for a relay.
    package let dataKey: SharedSecret?
    /// The keys that a device which is bound to scopes holds, by the roots of these, and beside
    /// them those by which scopes and schemas are named.
    package let scopeKeys: OrderedTable<ScopeID, SharedSecret>
    /// The pre-shared key by which members of this epoch recognise each other; nil without the
    /// network key.
    package let psk: SharedSecret?

    convenience init(
        epoch: Epoch, group: GroupID, networkKey: SharedSecret?, dataKey: SharedSecret?,
        scopeKeys: OrderedTable<ScopeID, SharedSecret> = OrderedTable()
    ) {
        self.init(
            id: epoch.id, number: epoch.number, group: group, networkKey: networkKey,
            dataKey: dataKey, scopeKeys: scopeKeys)
    }

    private init(
        id: EpochID, number: UInt64, group: GroupID, networkKey: SharedSecret?,
        dataKey: SharedSecret?, scopeKeys: OrderedTable<ScopeID, SharedSecret>
    ) {
        (self.id, self.number, self.group) = (id, number, group)
        self.networkKey = networkKey
        self.dataKey = dataKey
        self.scopeKeys = scopeKeys
        psk = networkKey.map {
            SharedSecret(KeyDerivation.derive($0.bytes, .psk, group.array))
        }
    }

    /// Opens a box of an epoch and checks the keys against the epoch's commitments.
    ///
    /// Throws ``MembershipError/badEpoch`` when the box does not open or holds other keys.
    package static func open(
        _ box: [UInt8], of epoch: Epoch, group: GroupID, with seal: borrowing AgreementKey
    ) throws(MembershipError) -> EpochKeys {
        let content = try open(box, with: seal)
        let isOfScopes = ScopeGrant.isBoxOfScopes(box.count)
        guard isOfScopes || content.count == 32 || content.count == 64 else { throw .badEpoch }
        let network = SharedSecret(content.slice(0..<32))
        try check(network, against: epoch.payload.networkCommitment, of: epoch, group: group)
        guard !isOfScopes else {
            return EpochKeys(
                epoch: epoch, group: group, networkKey: network, dataKey: nil,
                scopeKeys: try scopeKeys(in: content))
        }
        guard content.count == 64 else {
            return EpochKeys(epoch: epoch, group: group, networkKey: network, dataKey: nil)
        }
        let data = SharedSecret(content.slice(32..<64))
        try check(data, against: epoch.payload.dataCommitment, of: epoch, group: group)
        return EpochKeys(epoch: epoch, group: group, networkKey: network, dataKey: data)
    }

    /// Reads the keys of a box of scopes, behind the network key.
    private static func scopeKeys(
        in content: borrowing SecretBytes
    ) throws(MembershipError) -> OrderedTable<ScopeID, SharedSecret> {
        var keys = OrderedTable<ScopeID, SharedSecret>()
        for start in stride(from: 32, to: content.count, by: 48) {
            let root = ExactLength.bytes16(content.slice(start..<start + 16).exposed())
            guard keys.keys.last.map({ $0 < root }) ?? true else { throw .badEpoch }
            keys[root] = SharedSecret(content.slice(start + 16..<start + 48))
        }
        return keys
    }

    /// Opens the data key of an earlier epoch that a later one wrapped.
    ///
    /// Throws ``MembershipError/badEpoch`` when it does not open or is another key.
    static func unwrap(
        _ wrapped: WrappedKey, of earlier: Epoch, under later: Epoch, dataKey: SharedSecret,
        group: GroupID
    ) throws(MembershipError) -> EpochKeys {
        let key = KeyDerivation.derive(dataKey.bytes, .wrap)
        let data: SharedSecret
        do {
            data = SharedSecret(
                try XChaCha.openSecret(
                    key: key, nonce: wrapped.nonce, ciphertext: wrapped.ciphertext,
                    associatedData: wrapBinding(
                        group: group, commitment: later.payload.dataCommitment,
                        earlier: earlier.id)))
        } catch {
            throw .badEpoch
        }
        try check(data, against: earlier.payload.dataCommitment, of: earlier, group: group)
        return EpochKeys(epoch: earlier, group: group, networkKey: nil, dataKey: data)
    }

    /// Wraps this epoch's data key under the data key of a new epoch; nil without a data key.
    func wrapped(
        under dataKey: borrowing SecretBytes, commitment: Bytes32, entropy: inout Entropy
    ) -> WrappedKey? {
        guard let own = self.dataKey else { return nil }
        let nonce = entropy.bytes(XChaCha.nonceBytes)
        let ciphertext = XChaCha.seal(
            key: KeyDerivation.derive(dataKey, .wrap), nonce: nonce, secret: own.bytes,
            associatedData: Self.wrapBinding(group: group, commitment: commitment, earlier: id))
        return WrappedKey(epoch: id, nonce: nonce, ciphertext: ciphertext)
    }

    /// Seals the epoch's keys to a device; throws ``MembershipError/epochKeyMissing`` when they are
    /// not all held here, ``MembershipError/badCertificate`` for an unusable key.
    func box(
        for certificate: Certificate, role: Role, entropy: inout Entropy
    ) throws(MembershipError) -> [UInt8] {
        guard let networkKey else { throw .epochKeyMissing }
        if !role.reads {
            return try Self.seal(networkKey.bytes, to: certificate, entropy: &entropy)
        }
        guard let dataKey else { throw .epochKeyMissing }
        return try Self.seal(
            SecretBytes(joining: networkKey.bytes, dataKey.bytes), to: certificate,
            entropy: &entropy)
    }

    /// True when batches can be written under it, in some scopes at least.
    package var isWhole: Bool { networkKey != nil && (dataKey != nil || !scopeKeys.isEmpty) }

    /// Returns these keys, and those that were held before where some are missing.
    func joined(with held: EpochKeys?) -> EpochKeys {
        guard let held else { return self }
        return EpochKeys(
            id: id, number: number, group: group, networkKey: networkKey ?? held.networkKey,
            dataKey: dataKey ?? held.dataKey,
            scopeKeys: scopeKeys.isEmpty ? held.scopeKeys : scopeKeys)
    }

    /// True when all is held that a box of a reader has.
    var isOfReader: Bool { networkKey != nil && dataKey != nil }

    /// The key of a scope's root in this epoch; nil when it is not held here.
    package func scopeKey(_ root: ScopeID) -> SharedSecret? {
        guard let dataKey else { return scopeKeys[root] }
        return SharedSecret(KeyDerivation.derive(dataKey.bytes, .scopeKey, root.array))
    }

    /// Seals the keys of some scopes to a device, with those by which scopes and schemas are named;
    /// throws as the other does.
    func box(
        for certificate: Certificate, of roots: [ScopeID], _ naming: NamingKeys?,
        entropy: inout Entropy
    ) throws(MembershipError) -> [UInt8] {
        guard let networkKey, dataKey != nil, let naming else { throw .epochKeyMissing }
        var content = networkKey.bytes.copy()
        for root in roots {
            let key: SharedSecret?
            switch root {
            case ScopeGrant.scopeNames: key = naming.scopes
            case ScopeGrant.schemaNames: key = naming.schemas
            default: key = scopeKey(root)
            }
            guard let key else { throw .epochKeyMissing }
            let entry = SecretBytes(joining: SecretBytes(copying: root.array), key.bytes)
            content = SecretBytes(joining: content, entry)
        }
        return try Self.seal(content, to: certificate, entropy: &entropy)
    }

    /// Seals key bytes to a device's sealing key.
    static func seal(
        _ content: borrowing SecretBytes, to certificate: Certificate, entropy: inout Entropy
    ) throws(MembershipError) -> [UInt8] {
        do {
            return try SealedBox.seal(
                content, to: certificate.sealKey.array, ephemeral: entropy.secret(32))
        } catch {
            throw .badCertificate
        }
    }

    /// The value that an epoch publishes about one of its keys, so that all recipients can tell
    /// that they got the same one.
    static func commitment(
        to key: borrowing SecretBytes, group: GroupID, number: UInt64
    ) -> Bytes32 {
        var position: [UInt8] = []
        BigEndian.append(number, to: &position)
        return ExactLength.bytes32(Hash.keyed(by: key, .commit, group.array, position))
    }

    private static func open(
        _ box: [UInt8], with seal: borrowing AgreementKey
    ) throws(MembershipError) -> SecretBytes {
        do {
            return try SealedBox.open(box, with: seal)
        } catch {
            throw .badEpoch
        }
    }

    private static func check(
        _ key: SharedSecret, against commitment: Bytes32, of epoch: Epoch, group: GroupID
    ) throws(MembershipError) {
        let actual = Self.commitment(to: key.bytes, group: group, number: epoch.number)
        guard constantTimeEquals(actual.array, commitment.array) else { throw .badEpoch }
    }

    private static func wrapBinding(
        group: GroupID, commitment: Bytes32, earlier: EpochID
    ) -> [UInt8] {
        group.array + commitment.array + earlier.array
    }
}
