package import LinnetMembership
package import LinnetWire

extension Replica {
    /// True when this device destroys itself at the word of an admin once it was removed, and says
    /// so; false to begin with.
    package var obeysWipes: Bool {
        get { membership.obeysWipes }
        set { membership.obeysWipes = newValue }
    }

    /// Asks a removed device to destroy itself, once it hears of it.
    package mutating func askWipe(
        of device: DeviceID, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        let record: MemberRecord
        do throws(MembershipError) {
            record = try Wipes(group.log).request(
                to: device, wallMilliseconds: max(0, now.wallMilliseconds), keys: keys)
        } catch {
            throw .membership(error)
        }
        return try publish([record], at: now)
    }
}

extension ReplicaReading {
    /// The requests to removed devices, in order.
    package func wipes() -> [Wipe] { log.group.map { Wipes($0.log).all } ?? [] }

    /// The request that this device has to obey; nil when there is none.
    package func ownWipe() -> Wipe? { log.group.flatMap { Wipes($0.log).order(to: device) } }

    /// True when a peer announced that it holds a record.
    package func isHeard(_ record: MemberRecordID) -> Bool {
        guard let group = log.group else { return false }
        return sessions.all.contains { session in
            guard case .authorising(let state) = session.state else { return false }
            return group.log.contains(record, upTo: state.peerHeads)
        }
    }
}
