import LinnetWire

/// The bounds of a relay, for all that comes from outside.
package enum RelayLimits {
    /// The most bytes of one object.
    package static let objectBytes = Limits.mailObjectBytes
    /// The bytes that an object counts for beside its own, so that empty ones are not for nothing.
    package static let objectOverhead: Int64 = 256
    /// The most names in one answer.
    package static let pageNames = 10_000
    /// The quota of an account where none is named.
    package static let usualQuota: Int64 = 1 << 30
    /// The room of all objects where none is named.
    package static let usualRoom: Int64 = 10 << 30
    /// The most bytes of the name of an account or a place.
    package static let nameBytes = 64
    /// The time after which a wait for news is answered, in milliseconds.
    package static let waitMilliseconds: Int64 = 55_000
    /// The most waits of one account; one more takes the place of the oldest.
    static let waitsOfOne = 4
    /// The most waits of all.
    static let waitsOfAll = 192
    /// The most connections, and those of one address; a front on this machine may have them all.
    static let connections = 256
    static let connectionsOfOne = 48
    /// The bytes of bodies in memory, and those of one account.
    static let heldBytes = 64 << 20
    static let heldBytesOfOne = 16 << 20
    /// The time for one request with its answer, and that without any, in milliseconds.
    static let requestMilliseconds: Int64 = 300_000
    static let idleMilliseconds: Int64 = 120_000
    /// The memory of a connection, which bounds the head of a request.
    static let connectionBytes = 16 << 10
    /// The time after which a last use is written down anew, in milliseconds.
    static let useMilliseconds: Int64 = 600_000
}
