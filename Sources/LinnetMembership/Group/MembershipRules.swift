import LinnetWire

/// The rules that say who may sign which record. They look at the state of a record's own ancestors
/// alone, so that every replica judges alike whatever else it holds.
enum MembershipRules {
    /// Throws what is wrong with a record that follows `state`.
    ///
    /// A record that follows something only a later version understands is judged by its author
    /// alone, since what was not understood may have changed roles, devices and epochs.
    static func check(
        _ record: MemberRecord, after state: MembershipState
    ) throws(MembershipError) {
        let author = state.member(record.author)
        let isRecovery = state.recovery?.device == record.author
        guard author != nil || isRecovery else { throw .notEntitled }
        if state.upgradeNeeded { return }
        switch record.payload {
        case .genesis:
            throw .notAGenesis
        case .add(let payload):
            guard author?.role == .admin || isRecovery else { throw .notEntitled }
            try check(payload, after: state)
        case .epoch(let payload):
            guard let author, author.role.reads else { throw .notEntitled }
            try check(payload, after: state)
        case .unknown:
            break
        }
    }

    private static func check(
        _ payload: AddPayload, after state: MembershipState
    ) throws(MembershipError) {
        guard state.epoch(payload.epoch) != nil else { throw .unknownEpoch }
        if let owner = state.owner(ofAnyKeyIn: payload.certificate) {
            guard owner == payload.certificate, owner != state.recovery else { throw .keyReused }
            return
        }
        guard state.members.count < Limits.devices else { throw .tooManyDevices }
    }

    private static func check(
        _ payload: EpochPayload, after state: MembershipState
    ) throws(MembershipError) {
        let (next, overflow) = (state.currentEpoch?.number ?? 0).addingReportingOverflow(1)
        guard !overflow, payload.number == next else { throw .badEpochNumber }
        for (device, box) in payload.boxes {
            let recoveryRole: Role? = state.recovery?.device == device ? .admin : nil
            let role = state.member(device)?.role ?? recoveryRole
            guard let role, box.count == role.boxBytes else { throw .badRecipients }
        }
        for key in payload.wrapped where state.epoch(key.epoch) == nil {
            throw .unknownEpoch
        }
    }
}
