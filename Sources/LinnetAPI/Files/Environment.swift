#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The variables that the program was started with.
package enum Environment {
    /// Returns the value of a variable; nil when it is not set or empty.
    package static func value(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        let value = unsafe String(cString: text)
        return value.isEmpty ? nil : value
    }
}
