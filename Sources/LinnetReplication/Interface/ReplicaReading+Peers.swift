package import LinnetCrypto
import LinnetMembership
package import LinnetStorage
package import LinnetWire

extension ReplicaReading {
    /// Returns the ids of the stored batches that are known to be damaged.
    package func damagedIDs() throws(StorageError) -> [BatchID] {
        try damaged.ids(log.chains, in: log.store)
    }

    /// Returns the addresses at which peers were reached before.
    package func rememberedAddresses() throws(ReplicaError) -> [(DeviceID, [String])] {
        try storage { () throws(StorageError) in
            try log.store.peers().map { ($0.device, $0.addresses) }
        }
    }

    /// Returns the keys that recognise members on the network, newest epoch first but for the first
    /// one, which is the one in use and announces.
    package func discoveryKeys() -> [(epoch: EpochID, key: SharedSecret)] {
        guard let group = log.group, group.log.state.member(device) != nil else { return [] }
        let first = (group.ring.writing ?? group.ring.current(in: group.log))?.id
        let held = group.ring.epochs
        return (held.filter { $0.id == first } + held.filter { $0.id != first }).compactMap {
            epoch in
            epoch.networkKey.map {
                (epoch.id, SharedSecret(KeyDerivation.derive($0.bytes, .disc, [])))
            }
        }
    }

    /// Returns the statements that were exchanged last with each member, by device.
    package func statementPairs() throws(ReplicaError) -> [StatementPair] {
        guard let group = log.group else { return [] }
        return try storage { () throws(StorageError) in
            var pairs = try log.store.peerKnowledge().compactMap(\.knowledge.statements)
            for session in sessions.all {
                guard let said = session.talk?.certificates, let own = said.own,
                    let theirs = said.theirs
                else { continue }
                pairs.removeAll { $0.theirs.device == theirs.device }
                pairs.append(StatementPair(own: own, theirs: theirs))
            }
            return pairs.filter { group.accepts($0.theirs) }
                .sorted { $0.theirs.device < $1.theirs.device }
        }
    }

    /// Returns true when a statement is of this group and of a device that belongs to it.
    package func accepts(_ statement: HoldingStatement) -> Bool {
        log.group?.accepts(statement) == true
    }
}
