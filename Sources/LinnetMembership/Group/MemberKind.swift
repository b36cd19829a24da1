/// The kinds of membership record; only those with a payload here are understood.
package enum MemberKind: UInt8, CaseIterable, Sendable {
    /// Founds the group.
    case genesis = 0
    /// Admits a device.
    case add = 1
    /// Removes a device.
    case remove = 2
    /// Changes a device's role.
    case role = 3
    /// Starts an epoch with new keys.
    case epoch = 4
    /// Takes sides between removals.
    case vote = 5
    /// Accepts more of a removed device's batches.
    case extend = 6
    /// Seals the keys of an epoch to one more device.
    case share = 7
    /// Replaces the recovery certificate.
    case recovery = 8
}
