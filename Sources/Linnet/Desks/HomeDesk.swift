/// The desk of the home: its lock, its database, the witness beside it, and the socket through which
/// commands come.
struct HomeDesk: ~Copyable {
    let home: Home
    /// Held until the node has stopped, also while it is locked.
    var lock: HomeLock?
    /// The replica's store; nil while nothing can be read.
    var store: HomeStore?
    var witness: Witness
    var control: ControlServer?
    /// Whether the keys are out of memory, until the passphrase is given.
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

    /// Commands reach the node no longer.
    mutating func closeControl() {
        control?.close()
        control = nil
    }
}
