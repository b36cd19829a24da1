#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes calls of the operating system.
enum SystemCall {
    /// Repeats a call that a signal interrupted; negative results are errors.
    static func retrying(_ body: () -> Int) -> Int {
        while true {
            let result = body()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
