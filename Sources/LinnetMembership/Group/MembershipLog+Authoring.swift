package import LinnetCrypto
import LinnetWire

extension MembershipLog {
    /// Founds a group: a genesis record and the first epoch, both by the owner of `keys`. Only the
    /// owner of the recovery key, if one is named, can ever name another.
    package static func founded(
        by keys: borrowing DeviceKeys, recovery: Certificate? = nil, entropy: inout Entropy
    ) throws(MembershipError) -> MembershipLog {
        let payload = MemberPayload.genesis(
            GenesisPayload(
                creator: keys.certificate, recovery: recovery, hasPolicy: false,
                random: ExactLength.bytes32(entropy.bytes(32))))
        var log = try MembershipLog(
            genesis: try MemberRecord(
                signing: payload.encoded, kind: MemberKind.genesis.rawValue, group: .zero,
                lamport: 1, parents: [], keys: keys))
        let empty = KeyRing(log: log, keys: keys)
        _ = try log.insert(try log.makeEpoch(ring: empty, keys: keys, entropy: &entropy))
        return log
    }

    /// A record that admits a device under the current epoch; the caller inserts it.
    ///
    /// A device that is a member with the same certificate is handed the keys again, in a record
    /// that changes nothing else. Throws ``MembershipError/notEntitled``,
    /// ``MembershipError/keyReused``, ``MembershipError/certificateRemoved``,
    /// ``MembershipError/tooManyDevices``, ``MembershipError/epochKeyMissing`` or, when a record of
    /// a later version may forbid it, ``MembershipError/upgradeNeeded``.
    package func makeAdd(
        _ certificate: Certificate, role: Role, ring: KeyRing, keys: borrowing DeviceKeys,
        entropy: inout Entropy
    ) throws(MembershipError) -> MemberRecord {
        // Where no epoch is usable, the newest that opens leads to those before it.
        let isRecovery = state.recovery?.device == keys.device
        guard let epoch = ring.current(in: self) ?? (isRecovery ? ring.newestWhole : nil) else {
            throw .epochKeyMissing
        }
        try check(certificate, by: keys.device)
        let known = state.member(certificate.device)
        let box: [UInt8]
        if case .some(let scopes)? = known?.scopes {
            box = try epoch.box(
                for: certificate, of: scopes, ring.naming(in: self), entropy: &entropy)
        } else {
            box = try epoch.box(for: certificate, role: known?.role ?? role, entropy: &entropy)
        }
        let payload: MemberPayload =
            known == nil
            ? .add(AddPayload(certificate: certificate, role: role, epoch: epoch.id, box: box))
            : .share(SharePayload(epoch: epoch.id, device: certificate.device, box: box))
        let record = try sign(payload, naming: epoch.id, keys: keys)
        // The box is open to its device, whether the record comes to something or not.
        var grown = self
        _ = try grown.insert(record)
        guard grown.state.member(certificate.device) != nil else { throw .certificateRemoved }
        return record
    }

    /// Throws why the owner of a name cannot admit a device now.
    private func check(
        _ certificate: Certificate, by author: DeviceID
    ) throws(MembershipError) {
        guard !state.upgradeNeeded else { throw .upgradeNeeded }
        guard state.member(author)?.role == .admin || state.recovery?.device == author else {
            throw .notEntitled
        }
        if let owner = state.owner(ofAnyKeyIn: certificate) {
            guard owner == certificate, owner != state.recovery else { throw .keyReused }
        } else if state.members.count >= Limits.devices {
            throw .tooManyDevices
        }
    }

    /// A record that starts an epoch with fresh keys for every member; the caller inserts it.
    ///
    /// It wraps every earlier data key that this device holds and no other wrapped epoch reaches,
    /// and says `bad` of the usable epochs whose box for this device does not open. Throws
    /// ``MembershipError/notEntitled`` for a relay or a stranger, and
    /// ``MembershipError/upgradeNeeded`` when a record of a later version may forbid it.
    package func makeEpoch(
        ring: KeyRing, keys: borrowing DeviceKeys, entropy: inout Entropy
    ) throws(MembershipError) -> MemberRecord {
        guard !state.upgradeNeeded else { throw .upgradeNeeded }
        guard state.member(keys.device)?.mayRotate == true else { throw .notEntitled }
        let payload = try epochPayload(
            for: state.members, after: parents(by: keys.device, naming: nil), ring, &entropy)
        return try sign(.epoch(payload), naming: nil, keys: keys)
    }

    /// An epoch with fresh keys for some members and the recovery key, for a record with these
    /// parents.
    func epochPayload(
        for members: [Member], after parents: [MemberRecordID], _ ring: KeyRing,
        _ entropy: inout Entropy
    ) throws(MembershipError) -> EpochPayload {
        let number = try nextEpochNumber(after: parents)
        let network = entropy.secret(32)
        let data = entropy.secret(32)
        let readerContent = SecretBytes(joining: network, data)
        var boxes = OrderedTable<DeviceID, [UInt8]>()
        // A device that is bound to scopes gets its box by a share.
        for member in members where !member.isBound {
            let box: [UInt8]
            if member.role.reads {
                box = try EpochKeys.seal(readerContent, to: member.certificate, entropy: &entropy)
            } else {
                box = try EpochKeys.seal(network, to: member.certificate, entropy: &entropy)
            }
            boxes[member.device] = box
        }
        if let recovery = state.recovery {
            boxes[recovery.device] = try EpochKeys.seal(
                readerContent, to: recovery, entropy: &entropy)
        }
        let dataCommitment = EpochKeys.commitment(to: data, group: group, number: number)
        var wrapped: [WrappedKey] = []
        for epoch in unreached(after: parents, ring: ring).prefix(MemberPayload.mostWrapped) {
            if let key = epoch.wrapped(
                under: data, commitment: dataCommitment, entropy: &entropy)
            {
                wrapped.append(key)
            }
        }
        return EpochPayload(
            number: number,
            networkCommitment: EpochKeys.commitment(to: network, group: group, number: number),
            dataCommitment: dataCommitment, boxes: boxes,
            wrapped: wrapped.sorted { $0.epoch < $1.epoch }, bad: ring.badNews(in: self))
    }

    /// The number of an epoch that follows these records.
    private func nextEpochNumber(
        after parents: [MemberRecordID]
    ) throws(MembershipError) -> UInt64 {
        let highest = graph.highestEpoch(in: graph.upTo(parents))
        let (number, overflow) = highest.addingReportingOverflow(1)
        guard !overflow else { throw .badEpochNumber }
        return number
    }

    /// The held epochs among the ancestors of a new record, newest first, whose data keys none of
    /// the others before them leads to.
    private func unreached(after parents: [MemberRecordID], ring: KeyRing) -> [EpochKeys] {
        let ancestors = graph.upTo(parents)
        var reached = OrderedSet<EpochID>()
        var result: [EpochKeys] = []
        for held in ring.epochs
        where held.dataKey != nil && graph.holds(held.id, in: ancestors) {
            guard !reached.contains(held.id) else { continue }
            result.append(held)
            for epoch in ring.epochsLed(from: held, in: self) { reached.insert(epoch) }
        }
        return result
    }

    /// Signs a record on top of this log, and checks it as every other replica will.
    func sign(
        _ payload: MemberPayload, naming epoch: EpochID?, on parents: [MemberRecordID]? = nil,
        keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        guard let kind = payload.kind?.rawValue else { throw .notEntitled }
        return try MemberRecord.made(
            of: payload.encoded, kind: kind,
            on: parents ?? self.parents(by: keys.device, naming: epoch), in: self, keys: keys)
    }

    /// The heads that a new record follows: all, or when there are too many, some that include the
    /// author's admission, its own last record and the epoch that the record names.
    func parents(by author: DeviceID, naming epoch: EpochID?) -> [MemberRecordID] {
        guard heads.count > MemberRecord.mostParents else { return heads.elements }
        var chosen = OrderedSet<MemberRecordID>()
        let own = graph.last(of: author)
        let admission =
            state.member(author)?.admission
            ?? (state.recovery?.device == author ? GroupRecovery(self).record?.id : nil)
        for needed in [admission, own, epoch].compactMap({ $0 }) {
            let head = heads.first { head in
                records(upTo: [head]).contains { $0.id == needed }
            }
            if let head { chosen.insert(head) }
        }
        for head in heads where chosen.count < MemberRecord.mostParents {
            chosen.insert(head)
        }
        return chosen.elements
    }
}

extension MemberRecord {
    /// Signs a record of any kind over these parents, and checks it as every other replica will.
    static func made(
        of content: [UInt8], kind: UInt8, on parents: [MemberRecordID], in log: MembershipLog,
        keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        let latest = parents.compactMap { log.record($0)?.lamport }.max() ?? 0
        let (lamport, overflow) = latest.addingReportingOverflow(1)
        guard !overflow else { throw .badLamport }
        let record = try MemberRecord(
            signing: content, kind: kind, group: log.group, lamport: lamport, parents: parents,
            keys: keys)
        try MembershipRules.check(record, after: log.graph.upTo(parents), in: log.graph)
        return record
    }
}
