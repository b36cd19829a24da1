import LinnetAPI

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The paths of programs, as a shell finds them.
enum ProgramPath {
    /// Returns the first program of this name in `PATH`, or the one at this path; nil when there is
    /// none that this user may start.
    static func find(_ name: String) -> String? {
        let places =
            name.contains("/")
            ? [FilePath.absolute(name)]
            : (Environment.value("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
        return places.first { unsafe access($0, X_OK) == 0 }
    }
}
