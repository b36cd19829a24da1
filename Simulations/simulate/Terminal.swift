import Glibc

/// The places of the command's words: results to standard output, the rest beside it.
enum Terminal {
    static func line(_ text: String) { write(text + "\n", to: 1) }

    static func note(_ text: String) { write(text + "\n", to: 2) }

    /// Writes all of `text`; ends the command when its reader went away.
    static func write(_ text: String, to descriptor: Int32) {
        if !tryToWrite(text, to: descriptor) { _exit(128 + SIGPIPE) }
    }

    /// True when somebody took all of `text`.
    static func tryToWrite(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let start = done
            let written = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if written < 0 && errno == EINTR { continue }
            guard written >= 0 else { return false }
            done += written
        }
        return true
    }
}
