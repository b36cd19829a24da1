import LinnetWire

extension MembershipLog {
    /// Returns the number of writers that hold the keys of an epoch and should start a new one
    /// before this one does; those that came by the keys in other ways follow them.
    func rank(of device: DeviceID, among holders: OrderedSet<DeviceID>) -> Int {
        let readers = holders.elements.filter { state.member($0)?.mayRotate == true }
        return readers.firstIndex(of: device) ?? readers.count
    }

    /// True when a reader has no box of an epoch.
    func leavesOutReaders(_ epoch: Epoch) -> Bool {
        let holders = state.holders(of: epoch)
        return !state.members.allSatisfy { !$0.role.reads || holders.contains($0.device) }
    }
}
