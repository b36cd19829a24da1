import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// One of the example programs in a terminal of its own.
final class TerminalProcess {
    /// The program ended, or showed nothing for a minute, or there is no terminal.
    struct Ended: Error { let screens: [String] }

    private let process = Process()
    private let keyboard: FileHandle
    private var rest = Data()
    /// The pictures of the screen, one after the other; the last may be half drawn.
    private(set) var screens: [String] = []

    /// Starts the program of that name, which lies beside the tests.
    init(_ program: String, _ words: [String]) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard unsafe openpty(&master, &slave, nil, nil, nil) == 0 else { throw Ended(screens: []) }
        // The program must not hold the keyboard's end as well.
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        keyboard = FileHandle(fileDescriptor: master, closeOnDealloc: true)
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: program)
        process.arguments = words
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        // The program has the only other end now, so that its end is seen.
        try terminal.close()
    }

    /// Presses keys.
    func press(_ keys: String) {
        keyboard.write(Data(keys.utf8))
    }

    /// Reads until the screen contains `text`, and returns it without what clears it.
    @discardableResult
    func wait(for text: String) throws -> String {
        while true {
            if let screen = screens.last, screen.contains(text), screen.hasSuffix("\r\n") {
                return screen
            }
            try read()
        }
    }

    /// Waits for the end, and returns the exit code.
    func finish() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func read() throws {
        // A screen that never comes fails the test and does not hold it up.
        var ready = pollfd(fd: keyboard.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, 60_000) > 0 else { throw Ended(screens: screens) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe Glibc.read(keyboard.fileDescriptor, &buffer, buffer.count)
        guard count > 0 else { throw Ended(screens: screens) }
        rest += buffer[..<count]
        let clearing = "\u{1b}[2J\u{1b}[H"
        let parts = String(decoding: rest, as: UTF8.self).components(separatedBy: clearing)
        screens = Array(screens.dropLast()) + parts
        // A character may have come in part, so that the bytes are kept and not the text.
        if let last = rest.range(of: Data(clearing.utf8), options: .backwards) {
            rest = Data(rest[last.upperBound...])
        }
    }
}
