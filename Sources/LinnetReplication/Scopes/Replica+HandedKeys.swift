import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A device asks its peers for the keys of batches that its boxes do not open: one that is bound to
/// scopes for those of earlier epochs and of the first format, another for those that only devices
/// hold which were bound once.
extension Replica {
    /// Asks a peer for the keys of the batches that wait for them.
    mutating func askForKeys(
        _ state: OpenState, session: Session, _ group: GroupState
    ) throws(SessionFault) {
        guard mayGetKeys(from: state, session: session, group) else { return }
        var wanted = OrderedSet<WantedKey>()
        for key in chains.index.behind where holds(key.scope) {
            guard wanted.elements.count < KeyGetMessage.keysMaximum, let row = chains[key],
                let stored = try stored({ () throws(StorageError) in
                    try store.batch(chain: row.index, seq: row.applied + 1)
                }), group.ring.keys(of: stored.epoch)?.dataKey == nil,
                case .waiting = group.open(stored, in: row)
            else { continue }
            let name = group.keyName(of: stored, in: row)
            if !state.askedKeys.contains(name) { wanted.insert(name) }
        }
        guard !wanted.isEmpty else { return }
        state.askedKeys.ask(wanted.elements)
        try session.send(.keyGet, KeyGetMessage(wanted: wanted.elements).encode())
    }

    /// True when a peer may hand over keys that this device lacks.
    private func mayGetKeys(
        from state: OpenState, session: Session, _ group: GroupState
    ) -> Bool {
        guard state.heardHave, state.greeting.readsScoped,
            group.log.state.member(state.device)?.role.reads == true
        else { return false }
        guard group.rights.ownGrant == .all else { return state.grant == .everything }
        // Boxes may be on their way, or lead to what they do not open themselves.
        return group.lacksDataKeys && group.log.state.member(device)?.role.reads == true
            && group.isLevel(with: state.peerHeads, sent: session.sentHeads)
    }

    /// Hands a peer the keys that it asks for and may have.
    func receiveKeyGet(
        _ body: [UInt8], _ state: OpenState, session: Session
    ) throws(SessionFault) {
        let get = try decoded { () throws(WireError) in try KeyGetMessage.decode(body) }
        guard let group, let peer = group.log.state.member(state.device) else { return }
        var keys: [(WantedKey, SharedSecret)] = []
        for name in peer.role.reads ? get.wanted : [] {
            guard let key = group.key(name, for: peer, within: state.grant) else { continue }
            keys.append((name, key))
        }
        try session.send(.keys, KeysMessage(keys: keys).encode())
    }

    /// Takes the keys in that open a batch which waits for them.
    mutating func receiveKeys(_ body: [UInt8], _ state: OpenState) throws(SessionFault) {
        let message = try decoded { () throws(WireError) in try KeysMessage.decode(body) }
        guard let group, state.askedKeys.answer(message.keys.map(\.name)) else {
            throw .violation
        }
        let given = OrderedTable(message.keys.map { ($0.name, $0.key) })
        var handed = group.handed
        var isChanged = false
        for key in chains.index.behind {
            guard let row = chains[key],
                let batch = try stored({ () throws(StorageError) in
                    try store.batch(chain: row.index, seq: row.applied + 1)
                })
            else { continue }
            let name = group.keyName(of: batch, in: row)
            guard let key = given[name] else { continue }
            let sealed = SealedBatch(batch, in: row, of: group.log.group)
            do throws(CryptoError) {
                _ = try group.open(sealed, by: key, named: name)
                isChanged = handed.keep(key, as: name) || isChanged
            } catch {
                guard let own = group.ring.keys(of: name.epoch)?.scopeKeys[name.scope],
                    name.author == nil, group.rights.ownGrant != .all, own.bytes.equals(key.bytes)
                else { continue }
                // Two devices say that the key is right: nobody can open the batch.
                group.batchKeys.prove(name)
                chains.isShowingDue = true
            }
        }
        guard isChanged else { return }
        membership.keep(handed)
        try stored { () throws(StorageError) in
            try turn.writing()
            try store.setValue(.handedKeys, handed.encoded)
        }
    }
}

extension GroupState {
    /// True when it lacks the data key of an epoch, under which batches may lie here.
    fileprivate var lacksDataKeys: Bool {
        let all = log.state.epochs.count + log.state.voidEpochs.count
        return ring.epochs.count(where: { $0.dataKey != nil }) < all
    }

    /// Returns a key that another member asks for, as far as this device has it and the other one
    /// may.
    fileprivate func key(
        _ name: WantedKey, for peer: Member, within grant: ScopeFilter
    ) -> SharedSecret? {
        let keys = ring.keys(of: name.epoch)
        if let author = name.author {
            guard grant.holds(name.scope) else { return nil }
            guard let dataKey = keys?.dataKey else { return handed[name] }
            let key = BatchName.key(dataKey.bytes, author: author, scope: name.scope)
            return SharedSecret(key)
        }
        guard name.scope != ScopeGrant.scopeNames, name.scope != ScopeGrant.schemaNames,
            peer.scopes.allows(name.scope)
        else { return nil }
        guard keys?.dataKey == nil else { return keys?.scopeKey(name.scope) }
        // To a bound device it would prove that the key of a box is right, which nobody knows here.
        return handed[name] ?? (peer.isBound ? nil : keys?.scopeKeys[name.scope])
    }
}
