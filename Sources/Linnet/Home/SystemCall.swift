#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the operating system's calls need to be used from Swift.
enum SystemCall {
    /// The system's own words for an `errno` value.
    static func message(for code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        unsafe _ = strerror_r(code, &buffer, buffer.count)
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return text.isEmpty ? "error \(code)" : String(decoding: text, as: UTF8.self)
    }

    /// Repeats a call that a signal interrupted; negative results are errors.
    static func retrying(_ body: () -> Int) -> Int {
        while true {
            let result = body()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
