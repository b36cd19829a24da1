package import LinnetControl

// A node answers what is asked of removals.

extension RemovalPlanRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlRemovalPlan>) async throws(LinnetError) {
        answers(ControlRemovalPlan(try await answers.node.removalPlan(device)))
    }
}

extension RemovalRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.remove(
            device, reason: RemovalReason(rawValue: reason) ?? .lost, with: companions,
            wiping: wipes)
    }
}

extension RemoteWipeRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.wipeRemotely(device)
    }
}

extension ObedienceRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.obeyWipes(obeys)
    }
}

extension LeaveRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.leave()
    }
}

extension RemovalsRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ControlRemoval]>) async throws(LinnetError) {
        answers(try await answers.node.removals(withRoles: true).map(ControlRemoval.init))
    }
}

extension VoteRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.vote(record, isFor: isFor)
    }
}

extension ControlDevice {
    init(_ device: Device) { self.init(id: device.id, name: device.name) }
}

extension ControlRemoval {
    init(_ removal: DeviceRemoval) {
        self.init(
            record: removal.record, device: ControlDevice(removal.device),
            by: ControlDevice(removal.by), role: removal.role?.rawValue ?? "",
            reason: removal.reason?.rawValue ?? "",
            companions: removal.companions.map(ControlDevice.init), stands: removal.stands,
            votes: ControlRemoval.Votes(
                supporters: removal.votes.supporters.map(ControlDevice.init),
                opponents: removal.votes.opponents.map(ControlDevice.init),
                uncountedSupporters: removal.votes.uncountedSupporters.map(ControlDevice.init),
                uncountedOpponents: removal.votes.uncountedOpponents.map(ControlDevice.init),
                silent: removal.votes.silent.map(ControlDevice.init)), rivals: removal.rivals,
            unheard: removal.unheard.map(ControlDevice.init),
            holders: removal.holders.map {
                ControlRemoval.Holder(
                    device: ControlDevice($0.device), record: $0.record, isSelf: $0.isSelf)
            }, wipe: removal.wipe.map(ControlRemoval.Wipe.init), isSelf: removal.isSelf)
    }
}

extension ControlRemoval.Wipe {
    init(_ wipe: RemoteWipe) {
        self.init(
            record: wipe.record, by: ControlDevice(wipe.by),
            wallMilliseconds: wipe.wallMilliseconds, isGood: wipe.isGood, obeyed: wipe.obeyed,
            obeyedWallMilliseconds: wipe.obeyedWallMilliseconds)
    }
}

extension ControlRemovalPlan {
    init(_ plan: DeviceRemovalPlan) {
        self.init(
            device: ControlDevice(plan.device), helpers: plan.helpers.map(ControlDevice.init),
            unheard: plan.unheard.map(ControlDevice.init), batchesKept: UInt64(plan.batchesKept),
            keysHeld: UInt64(plan.keysHeld), batchesReadable: UInt64(plan.batchesReadable),
            lateBatches: UInt64(plan.lateBatches))
    }
}
