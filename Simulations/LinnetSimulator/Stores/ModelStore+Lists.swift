package import LinnetStorage
package import LinnetWire

/// Values, members, peers, intents, quarantine and forks: few rows each.
extension ModelStore {
    /// The bytes kept under a key, or nil.
    package func value(_ key: MetaKey) throws(StorageError) -> [UInt8]? { tables.values[key.slot] }

    /// Keeps bytes under a key; nil forgets them.
    package func setValue(_ key: MetaKey, _ value: [UInt8]?) throws(StorageError) {
        checkTransaction()
        let before = tables.values[key.slot]
        guard before != nil || value != nil else { return }
        tables.values[key.slot] = value
        note(.value(key, before))
    }

    /// Adds a membership record after all others; `duplicate` when it is there.
    package func appendMemberRecord(
        id: MemberRecordID, bytes: [UInt8]
    ) throws(StorageError) {
        checkTransaction()
        guard !tables.members.contains(where: { $0.id == id }) else { throw .duplicate }
        tables.members.append(MemberRow(id: id, bytes: bytes))
        note(.memberAdded)
    }

    /// Every membership record, in the order they were added.
    package func memberRecords() throws(StorageError) -> [MemberRow] { tables.members }

    /// Remembers a peer in place of what was known of it.
    package func putPeer(_ peer: PeerRow) throws(StorageError) {
        checkTransaction()
        note(.peers(tables.peers))
        let place = tables.peers.lowerBound {
            ($0.device, $0.incarnation) < (peer.device, peer.incarnation)
        }
        if place < tables.peers.count, tables.peers[place].device == peer.device,
            tables.peers[place].incarnation == peer.incarnation
        {
            tables.peers[place] = peer
        } else {
            tables.peers.insert(peer, at: place)
        }
    }

    /// Every peer that is remembered, by device and incarnation.
    package func peers() throws(StorageError) -> [PeerRow] { tables.peers }

    /// The outcome of the first command with this intent, or nil when there was none.
    package func firstOutcome(intent: [UInt8]) throws(StorageError) -> [UInt8]? {
        tables.intents[intent]
    }

    /// Keeps what came of a command; `duplicate` when its intent has an outcome already.
    package func recordOutcome(intent: [UInt8], _ outcome: [UInt8]) throws(StorageError) {
        checkTransaction()
        guard tables.intents[intent] == nil else { throw .duplicate }
        tables.intents[intent] = outcome
        note(.intentAdded(intent))
    }

    /// Notes that an operation has no effect; a second note on it replaces the first.
    package func quarantine(_ row: QuarantineRow) throws(StorageError) {
        checkTransaction()
        let position = { (row: QuarantineRow) in row.index.map { Int64($0) } ?? -1 }
        let place = tables.quarantine.lowerBound {
            ($0.batch, position($0)) < (row.batch, position(row))
        }
        if place < tables.quarantine.count, tables.quarantine[place].batch == row.batch,
            tables.quarantine[place].index == row.index
        {
            note(.quarantine(at: place, reason: tables.quarantine[place].reason))
            tables.quarantine[place].reason = row.reason
        } else {
            tables.quarantine.insert(row, at: place)
            note(.quarantineAdded(at: place))
        }
    }

    /// The operations without effect, by batch and index, at most `limit` rows; all when it is
    /// negative.
    package func quarantined(limit: Int) throws(StorageError) -> [QuarantineRow] {
        limit < 0 ? tables.quarantine : Array(tables.quarantine.prefix(limit))
    }

    /// The rows that `quarantined` has without a limit.
    package func quarantineCount() throws(StorageError) -> Int { tables.quarantine.count }

    /// Keeps the proof of a fork.
    package func addFork(_ fork: ForkRow) throws(StorageError) {
        checkTransaction()
        guard fork.seq <= StoreLimits.largestSequence else { throw .outOfRange }
        tables.forks.append(fork)
        note(.forkAdded)
    }

    /// Every proof, in the order they were found.
    package func forks() throws(StorageError) -> [ForkRow] { tables.forks }
}
