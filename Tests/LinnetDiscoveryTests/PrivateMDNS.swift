import Foundation

/// An mDNS daemon of the test's own, from `scripts/private-mdns`; it ends with the process.
///
/// The D-Bus library keeps the first address it hears of, so there is one daemon a process: the
/// tests that need one run in processes of their own.
final class PrivateMDNS {
    /// Why there is no daemon.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let commands = Pipe()
    private let answers = Pipe()

    /// Starts the daemon and points this process at it; also ends a test that hangs.
    init() throws {
        alarm(90)
        process.executableURL = Self.script
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
        let line = try answer()
        let parts = line.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0] == "DBUS_SYSTEM_BUS_ADDRESS" else {
            throw Failure(description: "private-mdns said: \(line)")
        }
        unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", String(parts[1]), 1)
    }

    deinit {
        try? commands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Kills the daemon and returns when it is dead.
    func killDaemon() throws { try command("kill-daemon", expecting: "killed") }

    /// Starts it again and returns when it serves.
    func startDaemon() throws { try command("start-daemon", expecting: "started") }

    /// Publishes an instance as a stranger would, until the returned process is killed.
    func publish(
        name: String, port: Int, txt: [String], type: String = "_linnet._tcp"
    ) throws -> Process {
        let publisher = Process()
        publisher.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        publisher.arguments = ["avahi-publish", "-s", name, type, String(port)] + txt
        publisher.standardError = FileHandle.nullDevice
        try publisher.run()
        return publisher
    }

    private static var script: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("scripts/private-mdns")
    }

    private func command(_ command: String, expecting expected: String) throws {
        try commands.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        let line = try answer()
        guard line == expected else { throw Failure(description: "private-mdns said: \(line)") }
    }

    private func answer() throws -> String {
        var line = Data()
        while let byte = try answers.fileHandleForReading.read(upToCount: 1), byte != Data([10]) {
            guard !byte.isEmpty else { break }
            line += byte
        }
        return String(decoding: line, as: UTF8.self)
    }
}
