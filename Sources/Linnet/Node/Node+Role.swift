import LinnetReplication
import LinnetSystem

extension Node {
    /// Holds what this kind of device holds, by this machine's clock, and forgets the rest once
    /// another device is known to have it.
    func followRole() {
        guard connections.options?.holdsEverything == false, replica?.isMember == true,
            DeviceKind(rawValue: kind).map(DeviceLimits.of)?.holdsRecentOnly == true
        else { return }
        let now = SystemClock.now()
        upkeep.followedRole(at: now)
        do {
            perform(try replica?.holdRecent(at: now) ?? [])
        } catch {
            if case .storage = error { shutDown(reason: LinnetError(error).description) }
        }
    }
}
