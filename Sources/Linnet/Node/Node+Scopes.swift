import LinnetReplication
import LinnetSystem

extension Node {
    /// Holds some scopes from now on; their content comes from the other devices.
    public func subscribe(to scopes: String...) throws(LinnetError) {
        try writable()
        let now = SystemClock.now()
        do throws(ReplicaError) {
            perform(try replica?.subscribe(to: scopes, at: now) ?? [])
        } catch {
            throw failed(error)
        }
    }

    /// Leaves some scopes out from now on and forgets what is held of them. Nothing is deleted on
    /// the other devices, and subscribing again brings it back.
    ///
    /// - Parameters:
    ///   - scopes: the names of the scopes.
    ///   - force: true to forget even what no connected device is known to hold.
    public func unsubscribe(
        from scopes: String..., force: Bool = false
    ) throws(LinnetError) {
        try writable()
        let now = SystemClock.now()
        do throws(ReplicaError) {
            perform(try replica?.unsubscribe(from: scopes, force: force, at: now) ?? [])
        } catch {
            throw failed(error)
        }
    }
}
