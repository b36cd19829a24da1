import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// Returns the effects of taking a device out of the group, and changes nothing. The device is
    /// named as the status shows it, or by the beginning of its identifier.
    public func removalPlan(_ device: String) throws(LinnetError) -> DeviceRemovalPlan {
        let target = try member(device)
        let plan = try reading { (replica) throws(ReplicaError) in
            try replica.removalPlan(of: target)
        }
        return DeviceRemovalPlan(
            device: named(plan.device), helpers: plan.helpers.map(named),
            unheard: plan.unheard.map(named), batchesKept: plan.kept.count,
            keysHeld: plan.epochs, batchesReadable: plan.readable.count,
            lateBatches: plan.late)
    }

    /// Takes a device out of the group, and `companions` with it as far as nobody but such a device
    /// admitted them. All others get new keys, which the device never has; what it wrote and this
    /// device holds goes on to count, and nothing else that it wrote does.
    ///
    /// The devices that are connected hear at once, and the others when they connect; see
    /// ``removals(withRoles:)``. What the device read before, it can read for ever.
    ///
    /// - Parameters:
    ///   - device: its name, or the beginning of its identifier.
    ///   - reason: the reason, for people.
    ///   - companions: the devices that go along.
    ///   - wiping: true to ask the device to destroy itself, as ``wipeRemotely(_:)`` does.
    public func remove(
        _ device: String, reason: RemovalReason = .lost, with companions: [String] = [],
        wiping: Bool = false
    ) throws(LinnetError) {
        let target = try member(device)
        var others: [DeviceID] = []
        for companion in companions { others.append(try member(companion)) }
        let stated: RemovePayload.Reason =
            switch reason {
            case .lost: .lost
            case .sold: .sold
            case .broken: .broken
            case .mine: .mine
            }
        try writable()
        do throws(ReplicaError) {
            let effects = try replica?.remove(
                target, reason: stated, with: others, wiping: wiping, at: SystemClock.now())
            if let effects { perform(effects) }
        } catch {
            throw failed(error)
        }
    }

    /// Leaves the group. This device keeps what it has and changes nothing more; to come back it
    /// joins as a new device.
    public func leave() throws(LinnetError) {
        try writable()
        do throws(ReplicaError) {
            if let effects = try replica?.leave(at: SystemClock.now()) { perform(effects) }
        } catch {
            throw failed(error)
        }
    }

    /// Returns the devices that were taken out of the group or left it, in order, with the votes on
    /// each and those that have not heard of it. `withRoles` adds the roles other than admin that
    /// devices were given.
    public func removals(withRoles: Bool = false) throws(LinnetError) -> [DeviceRemoval] {
        let (removals, wipes) = try reading { (replica) throws(ReplicaError) in
            (replica.reading.removals(withRoles: withRoles), replica.reading.wipes())
        }
        return removals.map { removal in
            DeviceRemoval(
                record: removal.id.description, device: named(removal.device),
                by: named(removal.author), role: removal.role.map { DeviceRole($0) },
                reason: removal.role != nil
                    ? nil
                    : RemovePayload.Reason(rawValue: removal.reason).map {
                        RemovalReason($0)
                    },
                companions: removal.with.map(named), stands: removal.stands,
                votes: RemovalVotes(
                    supporters: removal.yes.map(named), opponents: removal.no.map(named),
                    uncountedSupporters: removal.uncountedYes.map(named),
                    uncountedOpponents: removal.uncountedNo.map(named),
                    silent: removal.silent.map(named)),
                rivals: removal.rivals.map(\.description), unheard: removal.unheard.map(named),
                holders: removal.holders.map {
                    RemovalHolder(
                        device: named($0.device), record: $0.record?.description,
                        isSelf: $0.device.description == self.device.description)
                },
                wipe: wipes.last {
                    $0.removal == removal.id && $0.device == removal.device
                }.map(shown),
                isSelf: removal.device.description == self.device.description)
        }
    }

    /// Votes for or against a removal, or a role that a device was given, whatever this device said
    /// of it before. The others judge anew once they hear it: a removal that is outvoted comes to
    /// nothing, and what the device wrote counts again.
    ///
    /// - Parameters:
    ///   - record: the beginning of the record's identifier, as ``removals(withRoles:)`` tells it.
    ///   - isFor: true to vote for the record, false to vote against it.
    public func vote(_ record: String, isFor: Bool) throws(LinnetError) {
        let known = try reading { (replica) throws(ReplicaError) in
            replica.reading.removals(withRoles: true).map(\.id)
        }
        let found = known.filter {
            record.utf8.count >= 4 && $0.description.hasPrefix(record.lowercased())
        }
        guard found.count == 1 else { throw .noSuchRemoval(record) }
        try writable()
        do throws(ReplicaError) {
            let effects = try replica?.vote(on: found[0], isFor: isFor, at: SystemClock.now())
            if let effects { perform(effects) }
        } catch {
            throw failed(error)
        }
    }

    /// The error of calls that a device makes which is out of its group; nil for others.
    var ownRemoval: LinnetError? {
        if let author = homeDesk.wipedBy { return .wiped(by: author) }
        return replica?.reading.ownRemoval().map { removal in
            let author = removal.author.description
            if replica?.reading.isRecoveryKey(removal.author) == true { return .recovery(.removed) }
            return .removed(by: author == removal.device.description ? nil : author)
        }
    }

    /// The other member that a person means.
    func member(_ words: String) throws(LinnetError) -> DeviceID {
        let others = try memberIDs().filter { $0.description != device.description }
        guard let found = named(words, among: others) else { throw .noSuchDevice }
        return found
    }

    /// The members of the group.
    func memberIDs() throws(LinnetError) -> [DeviceID] {
        try reading { (replica) throws(ReplicaError) in
            replica.reading.memberIDs()
        }
    }

    /// The only one of some devices that has a name, or an identifier that begins so; nil when
    /// there is none, or there are several.
    func named(_ words: String, among devices: [DeviceID]) -> DeviceID? {
        let exact = devices.filter { named($0).name == words }
        let found =
            exact.isEmpty
            ? devices.filter {
                words.utf8.count >= 4 && $0.description.hasPrefix(words.lowercased())
            } : exact
        return found.count == 1 ? found.first : nil
    }
}

extension RemovalReason {
    init(_ reason: RemovePayload.Reason) {
        self =
            switch reason {
            case .lost: .lost
            case .sold: .sold
            case .broken: .broken
            case .mine: .mine
            }
    }
}
