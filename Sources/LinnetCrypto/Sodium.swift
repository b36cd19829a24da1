import CSodium

/// The one gate to libsodium: every entry point of this module calls ``require()`` first, because
/// several libsodium functions abort the process before `sodium_init`.
enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// Initialises the library on first use, from any thread; traps when that is impossible.
    static func require() {
        precondition(isReady, "libsodium could not be initialised: no secret may be handled")
    }
}
