#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps a process's memory and new files from other users.
package enum ProcessHardening {
    /// Switches core files off, keeps other processes from reading this one's memory, and gives new
    /// files to this user alone.
    package static func apply() {
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            refuseDumps()
        #else
            unsafe _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }

    /// True unless the kernel keeps this process's memory from core files and from other processes
    /// of its user.
    static var isDumpable: Bool {
        #if canImport(Glibc)
            control(getDumpable, 0) != 0
        #else
            true
        #endif
    }

    /// Gives freed memory back to the system, which wipes it: bytes that were read and written lay
    /// there.
    package static func giveBackFreeMemory() {
        #if canImport(Glibc)
            typealias Trim = @convention(c) (Int) -> Int32
            guard let address = unsafe dlsym(nil, "malloc_trim") else { return }
            _ = unsafe unsafeBitCast(address, to: Trim.self)(0)
        #endif
    }

    #if canImport(Glibc)
        private static let getDumpable: Int32 = 3
        private static let setDumpable: Int32 = 4

        private static func refuseDumps() { _ = control(setDumpable, 0) }

        /// `prctl` takes a variable number of arguments, which Swift does not import; on Linux such
        /// a call passes integers just as one with fixed arguments does.
        private static func control(_ option: Int32, _ value: UInt) -> Int32 {
            typealias Prctl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
            guard let address = unsafe dlsym(nil, "prctl") else { return -1 }
            let prctl = unsafe unsafeBitCast(address, to: Prctl.self)
            return prctl(option, value, 0, 0, 0)
        }
    #endif
}
