import LinnetChannel
package import LinnetMembership
package import LinnetWire

extension Replica {
    /// Shows a code and a ticket, which are valid side by side; the first success ends both.
    ///
    /// While pairing by code is locked, the offer has only a ticket.
    ///
    /// - Parameter liftingLock: true when the person at this device deliberately lifts the lock.
    package mutating func offerPairing(
        addresses: [PairingAddress], liftingLock: Bool = false, at now: Moment
    ) throws(ReplicaError) -> PairingOffer {
        if let failure { throw .storage(failure) }
        if let group { try checkMembership(group) }
        guard group?.log.state.upgradeNeeded != true else { throw .upgradeNeeded }
        return try desk.show(
            addresses, device: device, liftingLock: liftingLock, at: now, &entropy, &turn)
    }

    /// Returns the time until which pairing by code is locked, in Unix milliseconds; nil when it is
    /// not.
    package func pairingLockedUntil(at now: Moment) -> Int64? {
        desk.counters.lockedUntilWallMilliseconds(at: now)
    }

    /// Takes the offer from the screen, and ends the sessions that were trying it.
    package mutating func withdrawPairing(at now: Moment) -> [Effect] {
        desk.closeOffer()
        for session in sessions.all where !session.isInitiator {
            switch session.state {
            case .pairing: end(session, .denied, telling: .denied)
            case .handshaking(let state) where state.mode != .member && state.mode != nil:
                end(session, .denied, telling: nil)
            default: continue
            }
        }
        return closedEffects()
    }
}
