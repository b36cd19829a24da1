import Linnet
import LinnetCrypto

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The person's terminal while it does not show what is typed; its settings come back when the
/// value ends.
struct SilentTerminal: ~Copyable {
    private let descriptor: Int32
    private let before: termios

    /// Silences the terminal of this process; nil when it has none.
    init?() {
        descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        var settings = termios()
        guard descriptor >= 0 else { return nil }
        guard unsafe tcgetattr(descriptor, &settings) == 0 else {
            close(descriptor)
            return nil
        }
        before = settings
        // Keys are read one by one: an interrupt must not end the process while the terminal is
        // silent.
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    deinit {
        var settings = before
        unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
        write("\n")
        close(descriptor)
    }

    /// Writes text to the terminal.
    borrowing func write(_ text: String) {
        let bytes = Array(TerminalText.neutralLines(text).utf8)
        #if canImport(Darwin)
            unsafe _ = Darwin.write(descriptor, bytes, bytes.count)
        #else
            unsafe _ = Glibc.write(descriptor, bytes, bytes.count)
        #endif
    }

    /// Reads what is typed up to the end of the line; nil when the person gives up or the line is
    /// too long.
    borrowing func line(upTo limit: Int) -> SecretBytes? {
        var isGivenUp = false
        let descriptor = descriptor
        let typed = unsafe SecretBytes.filled(upTo: limit) { buffer in
            var edit = LineEdit(limit: limit)
            var key: UInt8 = 0
            while unsafe read(descriptor, &key, 1) == 1 {
                switch unsafe edit.take(key, buffer) {
                case .more: continue
                case .done: return edit.count
                case .givenUp:
                    isGivenUp = true
                    return 0
                }
            }
            isGivenUp = true
            return 0
        }
        if isGivenUp { return nil }
        return typed
    }
}

/// The effect of keys on the bytes of a line that is being typed.
struct LineEdit {
    enum Outcome: Equatable {
        case more, done, givenUp
    }

    let limit: Int
    private(set) var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes one byte that was typed, into the memory that holds the line.
    mutating func take(_ key: UInt8, _ line: UnsafeMutableRawBufferPointer) -> Outcome {
        switch key {
        case 0x0a, 0x0d: return .done
        case 0x03, 0x04, 0x1a, 0x1c: return .givenUp
        case 0x7f, 0x08:
            // A character of several bytes is deleted as a whole.
            while count > 0 {
                count -= 1
                if unsafe line[count] & 0xc0 != 0x80 { break }
            }
        case 0x15: count = 0
        default:
            guard count < limit else { return .givenUp }
            unsafe line[count] = key
            count += 1
        }
        return .more
    }
}
