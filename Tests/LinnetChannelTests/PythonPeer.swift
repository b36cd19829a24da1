import Foundation
import LinnetCrypto
import LinnetWire
import Testing

/// A running `scripts/interop/noise_peer.py`.
final class PythonPeer {
    private static let secret = [UInt8](repeating: 0x42, count: 32)

    /// The peer's static public key.
    static var publicKey: [UInt8] {
        AgreementKey(secret: SecretBytes(copying: secret)).publicKey
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(library: String, role: String, messages: Int, interval: UInt64) throws {
        // A peer that dies early is a failed expectation, not the end of this process.
        signal(SIGPIPE, SIG_IGN)
        let repository = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = URL(filePath: try #require(InteropTests.python))
        process.arguments = [
            repository.appending(path: "scripts/interop/noise_peer.py").path, library, role,
            Hex.encode([UInt8](repeating: 1, count: 32)), Hex.encode(Self.secret),
            String(messages), String(interval),
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func send(_ bytes: [UInt8]) throws {
        try input.fileHandleForWriting.write(contentsOf: bytes)
    }

    /// Waits for bytes; nil at the end of the stream.
    func receive() -> [UInt8]? {
        let data = output.fileHandleForReading.availableData
        return data.isEmpty ? nil : [UInt8](data)
    }

    func exitCode() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
