#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes calls of the operating system.
package enum SystemCall {
    /// Repeats a call that a signal interrupted; negative results are errors.
    package static func retrying(_ body: () -> Int) -> Int {
        while true {
            let result = body()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Closes a descriptor. It is gone afterwards whatever the call says: to close it again could
    /// close another file that got the same number meanwhile.
    package static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }
}
