import Foundation

/// An mDNS daemon of this process's own, from `scripts/private-mdns`; it ends with the process.
final class PrivateDaemon {
    /// The script ended without a daemon; it has said why on standard error.
    struct Failure: Error {}

    private let process = Process()
    private let commands = Pipe()

    /// Starts the daemon and points this process at it; also ends a test that hangs.
    init() throws {
        alarm(90)
        let answers = Pipe()
        process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "scripts/private-mdns")
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
        let line = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
        let parts = line.split(separator: "\n").first?.split(separator: "=", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0] == "DBUS_SYSTEM_BUS_ADDRESS" else { throw Failure() }
        unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", String(parts[1]), 1)
    }

    deinit {
        try? commands.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
