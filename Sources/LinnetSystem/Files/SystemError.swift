#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The system's words for its error numbers.
package enum SystemError {
    /// Returns the system's text about an error number, in English.
    package static func text(of code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
