package import LinnetWire

extension MembershipLog {
    /// The members to which the keys of an epoch were sealed, by the epoch or by their admission.
    package func holders(of epoch: Epoch) -> OrderedSet<DeviceID> {
        var holders = OrderedSet<DeviceID>()
        for member in state.members where epoch.payload.boxes[member.device] != nil {
            holders.insert(member.device)
        }
        for record in records {
            if case .add(let payload) = record.payload, payload.epoch == epoch.id,
                let member = state.member(payload.certificate.device),
                member.certificate == payload.certificate, member.role == payload.role
            {
                holders.insert(member.device)
            }
        }
        return holders
    }

    /// Returns the number of devices that should start a new epoch before this one does: 0 for the
    /// lowest reader that holds the current epoch, and so on; nil when every member holds the
    /// current epoch, or this device does not.
    package func rotationTurn(of device: DeviceID) -> Int? {
        guard let epoch = state.currentEpoch else { return nil }
        let holders = holders(of: epoch)
        guard !state.members.allSatisfy({ holders.contains($0.device) }) else { return nil }
        return holders.elements.filter { state.member($0)?.role.reads == true }
            .firstIndex(of: device)
    }

    /// Returns true when a new epoch is needed and this device is the first that should start it.
    package func needsRotation(for device: DeviceID) -> Bool {
        rotationTurn(of: device) == 0
    }
}
