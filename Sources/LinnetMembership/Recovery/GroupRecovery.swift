package import LinnetCrypto
package import LinnetWire

/// The recovery key of a group, and the records that it signs, as the group's records have them.
package struct GroupRecovery {
    let log: MembershipLog
    private var graph: RecordGraph { log.graph }
    private var state: MembershipState { log.state }

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { self.log = log }

    /// The 16 bytes with which the group's recovery phrases are hashed. They are public, and of
    /// this group alone.
    package var salt: [UInt8] {
        guard case .genesis(let payload) = log.records[0].payload else { return [] }
        return Array(Hash.blake2b(.recovery, payload.random.array).prefix(16))
    }

    /// True when a record after the genesis names the recovery key in force: a person made it of a
    /// phrase.
    package var isNamed: Bool { record != nil }

    /// The record that names the recovery key in force; nil for the key of the genesis, and for
    /// none.
    package var record: MemberRecord? {
        log.records.last { record in
            guard case .recovery(let key) = record.payload else { return false }
            return key == state.recovery
        }
    }

    /// True for a key that is a recovery key, or was one before another took its place.
    package func isKey(_ key: DeviceID) -> Bool { state.verdict.recoveryKeys.contains(key) }

    /// Derives the keys of a new recovery certificate from a phrase.
    package func newKeys(
        from phrase: RecoveryPhrase, createdMilliseconds: Int64
    ) throws(MembershipError) -> DeviceKeys {
        try DeviceKeys(
            recovering: phrase, salt: salt, createdMilliseconds: createdMilliseconds)
    }

    /// Derives the recovery key in force from its phrase.
    ///
    /// Throws ``MembershipError/noRecoveryKey`` where the group has none, and
    /// ``MembershipError/wrongRecoveryPhrase``.
    package func keys(from phrase: RecoveryPhrase) throws(MembershipError) -> DeviceKeys {
        guard let certificate = state.recovery else { throw .noRecoveryKey }
        let keys = try newKeys(
            from: phrase, createdMilliseconds: certificate.createdMilliseconds)
        guard keys.certificate == certificate else { throw .wrongRecoveryPhrase }
        return keys
    }

    /// A record that puts another recovery key in the place of the one that signs it; the caller
    /// inserts it.
    ///
    /// Throws ``MembershipError/noRecoveryKey`` where the keys are not those in force, and
    /// ``MembershipError/keyReused`` for a key that the group has already.
    package func makeSuccessor(
        _ certificate: Certificate, keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        guard state.recovery == keys.certificate else { throw .noRecoveryKey }
        guard state.owner(ofAnyKeyIn: certificate) == nil,
            graph.number(of: certificate.device) == nil
        else { throw .keyReused }
        return try log.sign(.recovery(certificate), naming: nil, keys: keys)
    }

    /// The log as it was without some records and all that followed them, where a recovery key
    /// signs what they cannot void.
    package func without(_ undone: [MemberRecordID]) throws(MembershipError) -> MembershipLog {
        let kept = log.records.filter { record in
            !undone.contains { log.contains($0, upTo: [record.id]) }
        }
        return try MembershipLog(records: kept.map(\.encoded))
    }

    /// The removals that stand and take a device out, each with its author: those of others, signed
    /// by a device.
    package func removals(of device: DeviceID) -> [(id: MemberRecordID, author: DeviceID)] {
        graph.restrictions.compactMap { place in
            let node = graph.nodes[place]
            guard case .remove(let payload) = node.payload,
                state.verdict.restrictions[node.id]?.stands == true,
                !isKey(graph.names[node.author]), graph.names[node.author] != device,
                payload.device == device || payload.with.contains(where: { $0.device == device })
            else { return nil }
            return (node.id, graph.names[node.author])
        }
    }
}

extension DeviceKeys {
    /// Derives the keys of a recovery certificate: 64 bytes of Argon2id, of which the first half
    /// signs and the second opens what is sealed to it (RFC 9106; the page's section on recovery).
    /// No handshake uses the third key. Throws ``MembershipError/outOfMemory``.
    package init(
        recovering phrase: RecoveryPhrase, salt: [UInt8], cost: PasswordHash.Cost = .standard,
        createdMilliseconds: Int64
    ) throws(MembershipError) {
        let hash: SecretBytes
        do throws(CryptoError) {
            hash = try PasswordHash.argon2id(
                password: phrase.secret.bytes, salt: salt, cost: cost, count: 64)
        } catch {
            throw error == .outOfMemory ? .outOfMemory : .noRecoveryKey
        }
        let seal = hash.slice(32..<64)
        let noise = KeyDerivation.derive(seal, .recovery, Array("noise".utf8))
        let agreement = SecretBytes(joining: noise, seal)
        let pairs = SecretBytes(joining: hash.slice(0..<32), agreement)
        self.init(
            secret: SecretBytes(joining: pairs, SecretBytes(zeroed: 32)),
            createdMilliseconds: createdMilliseconds)
    }

    /// The secrets of a recovery key, as the founder of a group keeps them until a phrase replaces
    /// it: the Unix milliseconds of its creation and 128 bytes.
    package borrowing func recoverySecret() -> [UInt8] {
        var bytes: [UInt8] = []
        BigEndian.append(UInt64(certificate.createdMilliseconds), to: &bytes)
        return bytes + secret.exposed()
    }

    /// Reads the secrets of a recovery key; nil for bytes of another form.
    package init?(recoverySecret bytes: [UInt8]) {
        guard bytes.count == 8 + Self.secretBytes else { return nil }
        let created = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        self.init(
            secret: SecretBytes(copying: Array(bytes.dropFirst(8))),
            createdMilliseconds: Int64(clamping: created))
    }
}
