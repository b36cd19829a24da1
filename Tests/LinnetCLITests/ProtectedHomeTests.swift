import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import LinnetMembership
import Testing

/// Homes whose key file has a passphrase from the beginning.
struct ProtectedHomeTests {
    @Test func `a device that is made with a passphrase asks for it from the beginning`() throws {
        let device = TestDevice()
        let file = try device.write("p", "seven words\n")
        let made = try device.run(
            "init", "--name", "A", "--kind", "laptop", "--passphrase-file", file, "--json")
        #expect(made.code == 0, "\(made.error)")
        #expect(try made.objects()[0]["passphrase"] == true)
        #expect(try device.run("status").error.contains("a passphrase is needed"))
        let wrong = try device.write("w", "other\n")
        #expect(try device.run("status", "--passphrase-file", wrong).code == 1)
        #expect(try device.run("status", "--passphrase-file", file).code == 0)
        // No state of the key file ever stood on the disk without it.
        for name in ["key", "key.bak"] {
            let bytes = try FileText.read("\(device.home)/\(name)")
            #expect(try KeyFile.needsPassphrase(bytes))
        }
    }

    @Test(arguments: [
        "init --name A --kind laptop", "join --name A --kind laptop --code 123456 --no-discovery",
    ])
    func `a passphrase that cannot be read makes no device`(call: String) throws {
        let device = TestDevice()
        let words = call.split(separator: " ").map(String.init)
        let none = "\(device.directory)/none"
        let outcome = try device.run(words + ["--passphrase-file", none])
        #expect(outcome.code == 1)
        #expect(outcome.error == "linnet: cannot read \(none): No such file or directory\n")
        let open = try device.write("open", "x\n")
        #expect(unsafe chmod(open, 0o644) == 0)
        #expect(try device.run(words + ["--passphrase-file", open]).error.contains("chmod 600"))
        #expect(!TestDevice.exists("\(device.home)/key"))
    }

    @Test func `a device that joins with a passphrase asks for it from the beginning`() throws {
        let (device, member) = (TestDevice(), try TestDevice.founder())
        let file = try device.write("p", "seven words\n")
        let host = try member.follow([
            "pair", "--yes", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
        ])
        let shown = try host.next()
        let joined = try device.run(
            "join", "--name", "B", "--kind", "phone", "--uri", try #require(shown["uri"]?.string),
            "--peer", try #require(shown["listen"]?.string), "--no-discovery", "--passphrase-file",
            file)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(host.waitForEnd() == 0)
        #expect(try KeyFile.needsPassphrase(FileText.read("\(device.home)/key")))
        #expect(try device.run("status", "--passphrase-file", file).code == 0)
    }
}
