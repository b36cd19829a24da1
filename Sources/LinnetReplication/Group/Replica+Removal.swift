package import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// The effects that a removal will have.
package struct RemovalPlan: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// The members that it admitted and nobody else did, which go along where they are named.
    package let helpers: [DeviceID]
    /// The members that have to hear of it, and are not connected.
    package let unheard: [DeviceID]
    /// The batches by it that are stored here, which go on to count.
    package let kept: Totals
    /// The epochs whose keys it has, and so the batches that it goes on to read.
    package let epochs: Int
    /// The batches that are stored here of everybody, most of which it can read.
    package let readable: Totals
    /// The number of batches in the inbox of late writes.
    package let late: Int
}

extension Replica {
    /// Returns the effects that the removal of a device would have; changes nothing.
    package func removalPlan(of device: DeviceID) throws(ReplicaError) -> RemovalPlan {
        guard let group else { throw .notAMember }
        let state = group.log.state
        guard let member = state.member(device) else { throw .membership(.notAMember) }
        let connected = sessions.open.map(\.state.device)
        return try storage { () throws(StorageError) in
            RemovalPlan(
                device: device, helpers: Removals(group.log).admittedAlone(by: device),
                unheard: state.members.map(\.device).filter {
                    $0 != device && $0 != self.device && !connected.contains($0)
                },
                kept: try reading.heldTotals(of: device),
                epochs: state.epochs.count { state.isHeld($0, by: member) },
                readable: try store.batchTotals(chain: nil), late: try reading.lateBatches())
        }
    }

    /// Removes a device, and those that go along with it; new keys are those of all others. With
    /// `wiping` it is asked to destroy itself, too.
    package mutating func remove(
        _ device: DeviceID, reason: RemovePayload.Reason, with others: [DeviceID],
        wiping: Bool = false, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        var records: [MemberRecord] = []
        do throws(MembershipError) {
            for other in others where group.log.state.member(other) == nil || other == device {
                throw .notAMember
            }
            let removal = try SignedRemoval(
                of: device, reason: reason,
                with: others.map { ($0, chains.index.heads(of: $0, within: group.rights)) },
                heads: chains.index.heads(of: device, within: group.rights), on: group.log,
                ring: group.ring, by: keys,
                &entropy)
            records = removal.records
            if wiping {
                records.append(
                    try Wipes(removal.log).request(
                        to: device, wallMilliseconds: max(0, now.wallMilliseconds), keys: keys))
            }
        } catch {
            throw .membership(error)
        }
        return try publish(records, at: now)
    }

    /// Leaves the group: this device keeps what it has, and writes nothing more.
    package mutating func leave(at now: Moment) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        let record: MemberRecord
        do throws(MembershipError) {
            record = try group.log.makeLeave(
                heads: chains.index.firstHeads(of: device), keys: keys)
        } catch {
            throw .membership(error)
        }
        return try publish([record], at: now)
    }

    /// Throws for a device that is out of its group.
    func checkMembership(_ group: GroupState) throws(ReplicaError) {
        guard group.log.state.member(device) == nil else { return }
        let author = Removals(group.log).last(of: device)?.author
        if let author, GroupRecovery(group.log).isKey(author) { throw .removedByRecovery }
        throw .removed(by: author == device ? nil : author)
    }

    /// Takes in records of this device, and tells everybody.
    mutating func publish(
        _ records: [MemberRecord], at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        if let failure { throw .storage(failure) }
        do throws(MembershipError) {
            for record in records { try membership.author(record, &turn) }
        } catch {
            throw .membership(error)
        }
        do throws(StorageError) {
            try turn.checkStore()
            do throws(SessionFault) {
                try membershipGrew(at: now)
            } catch {
                if case .storage(let failure) = error { throw failure }
            }
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }
}

extension ReplicaReading {
    /// Returns the removals and leaves of the group, in order, and the roles that records gave,
    /// where these are asked for. Members that are connected and know a removal have heard of it,
    /// be it that they signed nothing since.
    package func removals(withRoles: Bool = false) -> [Removal] {
        guard let group = log.group else { return [] }
        let removals = Removals(group.log)
        return (withRoles ? removals.withRoles : removals.all).map { removal in
            let informed = sessions.open.filter {
                group.log.contains(removal.id, upTo: $0.state.peerHeads)
            }.map(\.state.device)
            return removal.heard(by: informed + [device])
        }
    }

    /// The members of the group.
    package func memberIDs() -> [DeviceID] { log.group?.log.state.members.map(\.device) ?? [] }

    /// The removal that took this device out of its group; nil for a member and for a newcomer.
    package func ownRemoval() -> Removal? {
        log.group.flatMap { Removals($0.log).last(of: device) }
    }
}
