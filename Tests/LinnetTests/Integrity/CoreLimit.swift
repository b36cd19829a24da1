#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The limit of this process for core files, while a test runs.
enum CoreLimit {
    struct Refused: Error {}

    static func with(_ bytes: UInt64, _ body: () throws -> Void) throws {
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var before = rlimit()
        guard unsafe getrlimit(resource, &before) == 0 else { throw Refused() }
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: before.rlim_max)
        guard unsafe setrlimit(resource, &limit) == 0 else { throw Refused() }
        defer { unsafe _ = setrlimit(resource, &before) }
        try body()
    }
}
