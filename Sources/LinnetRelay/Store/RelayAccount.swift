/// An account as a person sees it: the access of one device to one place.
package struct RelayAccount: Equatable, Sendable {
    /// The name of the account.
    package let name: String
    /// The name of the place, which those share that exchange there.
    package let place: String
    /// The bytes that may lie there of what it put, and those that do.
    package let quota: Int64
    /// The bytes that lie there of what it put.
    package let used: Int64
    /// The objects that lie there of those that it put.
    package let objects: Int64
    /// The Unix time in milliseconds of its last use; nil before the first.
    package let lastUseMilliseconds: Int64?
}

/// An account as requests name it.
struct RelayAccess: Equatable, Sendable {
    let id: Int64
    let place: Int64
}

/// The outcome of putting an object.
enum RelayPutting: Equatable, Sendable {
    /// It is new there, or was another one.
    case changed
    /// It lies there as it is.
    case unchanged
    /// The account has put as much as it may.
    case overQuota
    /// The relay has no room left.
    case noRoom
    /// The account was removed meanwhile.
    case removed
}
