import Foundation
import LinnetCrypto
import LinnetRelay
import LinnetSystem
import Testing

/// A relay in a directory of its own, and stores that use it by libcurl.
struct RelayFixture {
    let path = NSTemporaryDirectory() + "linnet-relay-\(UUID().uuidString)"

    /// Makes an account and returns its password.
    func add(_ name: String, at place: String = "home", quota: Int64 = 1 << 30) throws -> String {
        try RelayStore(at: path, isMade: true).add(name, place: place, quota: quota)
    }

    /// Runs while `body` does; the directory goes afterwards.
    func serving<Result>(
        room: Int64 = 1 << 30, isLast: Bool = true,
        _ body: (Relay) async throws -> Result
    ) async throws -> Result {
        defer { if isLast { remove() } }
        let relay = try await Relay.serve(path, at: "127.0.0.1:0", room: room)
        do {
            let result = try await body(relay)
            await relay.close()
            return result
        } catch {
            await relay.close()
            throw error
        }
    }

    func remove() {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
    }

    static func address(of relay: Relay) -> String { "relay+http://\(relay.address)" }

    /// The store behind an account.
    static func store(_ relay: Relay, _ name: String, _ password: String) throws -> any Mailbox {
        try MailboxAddress.open(address(of: relay), access(name, password))
    }

    static func access(_ name: String, _ password: String) -> MailboxAccess {
        MailboxAccess(
            user: name, password: SharedSecret(SecretBytes(copying: Array(password.utf8))),
            region: MailboxAccess.usualRegion, authority: [])
    }

    /// The name of an object; numbers up to 2^30 give different ones, in their order.
    static func name(_ number: Int, _ letter: String = "h") -> String {
        let digits = Array("234567abcdefghijklmnopqrstuvwxyz".utf8.sorted())
        var (rest, tail) = (number, [UInt8]())
        for _ in 0..<6 {
            tail.append(digits[rest & 31])
            rest >>= 5
        }
        return "\(letter)/" + String(repeating: "2", count: 20)
            + String(decoding: tail.reversed(), as: UTF8.self)
    }
}

/// Calls that block, on a thread of their own.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let isStarted = HelperThread.start { continuation.resume(returning: body()) }
        precondition(isStarted, "no thread for a test")
    }
}

/// The outcome of a call that blocks.
func outcome<Result: Sendable>(
    _ body: @escaping @Sendable () throws(MailboxError) -> Result
) async -> Swift.Result<Result, MailboxError> {
    await blocking {
        do throws(MailboxError) { return .success(try body()) } catch { return .failure(error) }
    }
}
