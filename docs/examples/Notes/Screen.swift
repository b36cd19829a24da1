import Foundation

/// A key that was pressed.
enum Key: Sendable {
    case text(String), backspace, left, right, undo, redo, invite, link, quit

    static let named: [String: Key] = [
        "\u{1b}[D": .left, "\u{1b}[C": .right, "\u{7f}": .backspace, "\u{1a}": .undo,
        "\u{19}": .redo, "\u{e}": .invite, "\u{c}": .link, "\u{11}": .quit, "\n": .text("\n"),
    ]
}

/// The terminal, which hands over each key at once.
final class Screen: Sendable {
    private let before: termios

    init() {
        var settings = termios()
        unsafe tcgetattr(0, &settings)
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON)
        unsafe tcsetattr(0, TCSANOW, &settings)
    }

    func restore() { _ = unsafe withUnsafePointer(to: before) { unsafe tcsetattr(0, TCSANOW, $0) } }

    /// Hands over keys as they come; the end of the input quits.
    func readKeys(_ press: @escaping @Sendable (Key) -> Void) {
        Thread.detachNewThread {
            while case let bytes = FileHandle.standardInput.availableData, !bytes.isEmpty {
                var rest = String(decoding: bytes, as: UTF8.self)
                while !rest.isEmpty {
                    let code = String(rest.prefix(rest.hasPrefix("\u{1b}[") ? 3 : 1))
                    rest.removeFirst(code.count)
                    if let key = Key.named[code] ?? (code < " " ? nil : .text(code)) { press(key) }
                }
            }
            press(.quit)
        }
    }

    func show(_ text: String) {
        FileHandle.standardOutput.write(Data("\u{1b}[2J\u{1b}[H\(text)\n".utf8))
    }
}
