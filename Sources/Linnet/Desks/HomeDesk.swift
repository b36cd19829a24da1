import LinnetControl
import LinnetSystem

/// The desk of the home: its lock, its database, the witness beside it, and the socket of commands.
struct HomeDesk: ~Copyable {
    let home: Home
    /// The lock is held until the node has stopped, also while it is locked.
    var lock: HomeLock?
    /// The replica's store; nil while nothing can be read.
    var store: HomeStore?
    var witness: Witness
    var control: ControlServer?
    /// The device that asked this one to destroy itself; nil when none did.
    var wipedBy: String?
    /// The time until which it tells the others that it obeys, in uptime milliseconds.
    var wipeDeadline: Int64?
    /// True while the keys are out of memory, until the passphrase is given.
    var isLocked = false

    init(_ home: Home, lock: HomeLock, store: HomeStore, witness: consuming Witness) {
        self.home = home
        self.lock = lock
        self.store = store
        self.witness = witness
    }

    /// Lets go of the home for good.
    mutating func leave() {
        isLocked = false
        lock = nil
    }

    /// Closes the socket, so that commands reach the node no longer.
    mutating func closeControl() {
        control?.close()
        control = nil
    }
}
