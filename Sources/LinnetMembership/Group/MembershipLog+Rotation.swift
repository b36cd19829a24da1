import LinnetWire

extension MembershipLog {
    /// Returns the number of writers that hold the keys of an epoch and should start a new one
    /// before this one does; those that came by the keys in other ways follow them.
    func rank(of device: DeviceID, among holders: OrderedSet<DeviceID>) -> Int {
        let readers = holders.elements.filter { state.member($0)?.mayRotate == true }
        return readers.firstIndex(of: device) ?? readers.count
    }

    /// True when a reader has no box of an epoch, or calls it bad. Of a void one, and of one that
    /// is not usable, which nobody calls bad, it is not known whether its boxes open.
    func mayLeaveOutReaders(_ epoch: Epoch) -> Bool {
        guard let good = state.epoch(epoch.id), state.fault(of: good) == nil else {
            return state.members.count(where: \.role.reads) > 1
        }
        let (holders, callers) = (state.holders(of: epoch), state.callers(of: epoch))
        return state.members.contains { member in
            member.role.reads
                && (!holders.contains(member.device) || callers.contains(member.device))
        }
    }
}
