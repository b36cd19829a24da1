import LinnetWire

extension MembershipLog {
    /// Returns the number of writers that hold the keys of an epoch and should start a new one
    /// before this one does; those that came by the keys in other ways follow them.
    func rank(of device: DeviceID, among holders: OrderedSet<DeviceID>) -> Int {
        let readers = holders.elements.filter { state.member($0)?.mayRotate == true }
        return readers.firstIndex(of: device) ?? readers.count
    }

    /// True when a reader has no box of an epoch, or calls it bad.
    func leavesOutReaders(_ epoch: Epoch) -> Bool {
        let (holders, callers) = (state.holders(of: epoch), state.callers(of: epoch))
        return state.members.contains { member in
            member.role.reads
                && (!holders.contains(member.device) || callers.contains(member.device))
        }
    }
}
