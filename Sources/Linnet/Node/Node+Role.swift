import LinnetReplication
import LinnetWire

extension Node {
    /// How often a device that holds what is recent alone looks whether time has passed.
    private static var roleMilliseconds: Int64 { 3_600_000 }

    /// Holds what this kind of device holds, by this machine's clock, and leaves the rest once
    /// another device is known to have it.
    func followRole() {
        guard options?.holdsEverything == false, replica?.isMember == true,
            DeviceKind(rawValue: kind).map(DeviceLimits.of)?.holdsRecentOnly == true
        else { return }
        let now = SystemClock.now()
        roleDeadline = now.uptimeMilliseconds + Self.roleMilliseconds
        do {
            perform(try replica?.holdRecent(at: now) ?? [])
        } catch {
            if case .storage = error { shutDown(reason: LinnetError(error).description) }
        }
    }
}
