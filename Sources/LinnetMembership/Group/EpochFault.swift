package import LinnetWire

/// The reason for which an epoch is not used: as long as it is so, the epoch is never current.
package enum EpochFault: Equatable, Sendable {
    /// It has no box for this member, or one of another size than its role needs.
    case leavesOut(DeviceID)
    /// It has a box for a device that is no member, or of a wrong size for the recovery key.
    case sealedToStranger(DeviceID)
    /// This member says that its box does not open, or not to the announced keys.
    case calledBad(by: DeviceID)
}

extension MembershipState {
    /// The members that have a box of the right size, in the epoch's own record or, where that has
    /// none for them, in an admission under it.
    package func holders(of epoch: Epoch) -> OrderedSet<DeviceID> {
        OrderedSet(members.lazy.filter { isHeld(epoch, by: $0) }.map(\.device))
    }

    /// Returns the reason for which an epoch is not usable; nil when it is.
    package func fault(of epoch: Epoch) -> EpochFault? {
        for member in members where !isHeld(epoch, by: member) {
            return .leavesOut(member.device)
        }
        for (device, box) in epoch.payload.boxes where !isRight(box, for: device) {
            return .sealedToStranger(device)
        }
        for device in callers(of: epoch.id) where self.member(device) != nil {
            return .calledBad(by: device)
        }
        return nil
    }

    /// True when none but members and the recovery key has keys of an epoch.
    func isSealedToMembersAlone(_ epoch: Epoch) -> Bool {
        epoch.payload.boxes.allSatisfy { member($0.key) != nil || recovery?.device == $0.key }
    }

    /// True when a member has a box of the right size of an epoch.
    package func isHeld(_ epoch: Epoch, by member: Member) -> Bool {
        if let box = epoch.payload.boxes[member.device] { return box.count == member.role.boxBytes }
        return wasHanded(epoch.id, to: member.device)
    }

    private func isRight(_ box: [UInt8], for device: DeviceID) -> Bool {
        if recovery?.device == device { return box.count == Role.admin.boxBytes }
        return member(device)?.role.boxBytes == box.count
    }
}
