import LinnetMembership
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// The time for which a device that obeys tells the others first, in milliseconds.
    private static var farewellMilliseconds: Int64 { 10_000 }

    /// Asks a device that was removed to destroy itself, its keys first, once it hears of it.
    ///
    /// This is a courtesy of the device, and no guarantee: a changed program, or one that never
    /// meets the others again, does not obey. ``removals(withRoles:)`` shows whether it said that
    /// it does. The device is named as it called itself, or by the beginning of its identifier.
    public func wipeRemotely(_ device: String) throws(LinnetError) {
        let gone = try reading { (replica) throws(ReplicaError) in
            replica.reading.removals().filter { $0.stands && $0.role == nil }
                .flatMap { [$0.device] + $0.with }
        }
        let members = try memberIDs()
        let out = OrderedSet(gone.filter { !members.contains($0) }).elements
        guard let target = named(device, among: out) else {
            if named(device, among: members) != nil { throw .notRemoved }
            throw .noSuchDevice
        }
        try writable()
        do throws(ReplicaError) {
            if let effects = try replica?.askWipe(of: target, at: SystemClock.now()) {
                perform(effects)
            }
        } catch {
            throw failed(error)
        }
    }

    /// Chooses what this device does when it was removed and is asked to destroy itself: it obeys
    /// unless this says otherwise. A thief who has an admin's device can ask, too.
    public func obeyWipes(_ obeys: Bool) throws(LinnetError) {
        guard homeDesk.lock != nil else { throw .stopped }
        var integrity = try HomeIntegrity(home)
        try integrity.choose(obeysWipes: obeys)
        replica?.obeysWipes = obeys
    }

    /// Chooses the same for the home at `path`, which no process may have open.
    package static func obeyWipes(_ obeys: Bool, at path: String) throws(LinnetError) {
        try choosing(at: path) { (integrity) throws(LinnetError) in
            try integrity.choose(obeysWipes: obeys)
        }
    }

    /// Takes up what the person of this home chose. Where that cannot be read, nothing is
    /// destroyed.
    func followObedience() {
        do throws(LinnetError) {
            replica?.obeysWipes = try !HomeIntegrity(home).record.refusesWipes
        } catch {
            replica?.obeysWipes = false
        }
    }

    /// Notes that this device has to destroy itself; it tells the others first, if it can.
    func wipeAsked(by author: DeviceID) {
        guard homeDesk.wipedBy == nil else { return }
        homeDesk.wipedBy = author.description
        homeDesk.wipeDeadline = SystemClock.uptimeMilliseconds() + Self.farewellMilliseconds
    }

    /// Destroys this device once another one heard that it obeys, or when nobody did for long.
    func obeyWhenHeard(at now: Moment) {
        guard let author = homeDesk.wipedBy, !calls.isPerforming,
            let deadline = homeDesk.wipeDeadline
        else { return }
        let receipt = replica?.reading.ownWipe()?.obeyed
        let isHeard = receipt.map { replica?.reading.isHeard($0) ?? false } ?? false
        guard isHeard || deadline <= now.uptimeMilliseconds else { return }
        // The end itself performs effects, which must not lead here again.
        homeDesk.wipeDeadline = nil
        shutDown(reason: LinnetError.wiped(by: author).description)
    }

    /// The error of a home whose device was asked to destroy itself and did not come to it.
    func orderLeft() -> LinnetError? {
        followObedience()
        guard replica?.obeysWipes == true, let order = replica?.reading.ownWipe() else {
            return nil
        }
        homeDesk.wipedBy = order.author.description
        return .wiped(by: order.author.description)
    }

    /// Destroys the home, whose lock the node still holds and whose database is closed; returns the
    /// reason when that failed.
    func destroyHome() -> LinnetError? {
        guard homeDesk.wipedBy != nil, let lock = homeDesk.lock else { return nil }
        do throws(HomeError) {
            _ = try HomeWipe(home, holding: lock).perform { _ in }
            return nil
        } catch {
            return .home(error)
        }
    }

    func shown(_ wipe: Wipe) -> RemoteWipe {
        RemoteWipe(
            record: wipe.id.description, by: named(wipe.author),
            wallMilliseconds: wipe.wallMilliseconds, isGood: wipe.isGood,
            obeyed: wipe.obeyed?.description,
            obeyedWallMilliseconds: wipe.obeyedWallMilliseconds)
    }
}
