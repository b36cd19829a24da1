import LinnetReplication
import LinnetSystem

extension Node {
    /// Founds the group of a device that was made to found one, when the making was cut short.
    func endFounding(_ device: NewDevice) throws(LinnetError) {
        guard replica?.isMember == false else { return }
        do throws(ReplicaError) {
            perform(
                try replica?.createGroup(
                    name: device.name, kind: device.kind.rawValue,
                    publishing: schemas.home.unpublished(among: []).map { Array($0.text.utf8) },
                    keepsRecoveryKey: true, at: SystemClock.now()) ?? [])
        } catch {
            throw failed(error)
        }
    }
}
