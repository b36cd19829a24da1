import Glibc
import Linnet
import LinnetAPI
import Testing

@testable import LinnetCLI

/// `linnet relay` as a process, and a device that uses it.
@Suite(.timeLimit(.minutes(5)))
struct RelayCommandTests {
    private let device = TestDevice()

    private var relay: String { "\(device.directory)/relay" }

    /// Makes an account and keeps its password in a file.
    private func add(_ account: String, _ options: String...) throws -> String {
        let made = try device.run(["relay", "add", relay, account, "--json"] + options)
        #expect(made.code == 0, "\(made.error)")
        let password = try #require(try made.objects().first?["password"]?.string)
        #expect(password.utf8.count == 52)
        return try device.write("password-\(account)", password + "\n")
    }

    @Test func `an account is made, used, listed and removed while the relay runs`() throws {
        let file = try add("laptop", "--place", "home", "--quota", "2MiB")
        let known = try device.run("relay", "add", relay, "laptop", "--place", "home")
        #expect(known.code == 1 && known.error.contains("already"))
        let running = try device.follow([
            "relay", "run", relay, "--listen", "127.0.0.1:0", "--json",
        ])
        let port = try #require(try running.next("ready")["port"]?.line)
        let address = "relay+http://127.0.0.1:\(port)"
        #expect(try device.run("init", "--name", "Laptop", "--kind", "laptop").code == 0)
        let account = ["--user", "laptop", "--password-file", file]
        let trial = try device.run(["mailbox", "test", address] + account)
        #expect(trial.code == 0 && trial.output.contains("puts, gets, lists and deletes"))
        #expect(try device.run(["mailbox", "add", address] + account).code == 0)
        #expect(try device.run("mailbox", "sync").code == 0)
        let status = try #require(try device.run("mailbox", "status", "--json").objects().first)
        #expect(
            status["mailbox"]?.string == address && Int(status["dayRequests"]?.line ?? "") ?? 0 > 4)
        let listed = try #require(try device.run("relay", "list", relay, "--json").objects().first)
        #expect(listed["account"]?.string == "laptop" && listed["place"]?.string == "home")
        #expect(listed["quota"]?.line == "2097152" && listed["objects"]?.line == "1")
        let words = try device.run("relay", "list", relay)
        #expect(words.output.contains("of 2.0 MiB, 1 object, last used"), "\(words.output)")
        _ = try add("phone", "--place", "home")
        let removed = try device.run("relay", "remove", relay, "laptop")
        #expect(removed.output.contains("stays for the others"))
        let refused = try device.run("mailbox", "sync")
        #expect(refused.code == 1 && refused.error.contains("401"))
        let last = try device.run("relay", "remove", relay, "phone")
        #expect(last.output.contains("is gone"))
        #expect(try device.run("relay", "remove", relay, "phone").code == 1)
        #expect(try device.run("relay", "list", relay).error.contains("There is no account"))
        #expect(running.end(SIGTERM) == 0)
    }

    @Test func `ByteSize reads and writes sizes`() {
        for (text, bytes) in [
            ("1", 1), ("500MiB", 500 << 20), ("2GiB", 2 << 30), ("1024TiB", 1 << 50),
        ] as [(String, Int64)] {
            #expect(ByteSize.bytes(text) == bytes)
        }
        for text in ["", "0", "-1", "1.5GiB", "GiB", "1 GiB", "1025TiB", "9999999999999999TiB"] {
            #expect(ByteSize.bytes(text) == nil, "\(text)")
        }
        #expect(ByteSize.words(1_023) == "1023 bytes" && ByteSize.words(1_536) == "1.5 KiB")
        #expect(ByteSize.words(1 << 50) == "1024.0 TiB")
    }
}
