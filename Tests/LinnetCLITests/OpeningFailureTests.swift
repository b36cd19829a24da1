import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// Homes with a schema of their own that do not open: each says why it does not.
struct OpeningFailureTests {
    private let device: TestDevice

    init() throws {
        device = try KindCommandTests.device()
        let made = try device.run("set", "note/x", "title=Tea", "body=Hello")
        precondition(made.code == 0, made.error)
    }

    private static let commands = [
        ["get", "note/x"], ["list", "note"], ["query", "note"], ["set", "note/x", "title=B"],
        ["edit", "note/x", "body", "--insert", "!"], ["delete", "note/x"], ["undelete", "note/x"],
        ["move", "note/x", "--first"], ["trash", "note"], ["history", "note/x"],
    ]

    /// What every command says; none may speak of a collection that is not there.
    private func expect(_ text: String, _ options: [String] = []) throws {
        for words in Self.commands {
            let said = try device.run(words + options)
            #expect(said.code == 1, "\(words): \(said.error)")
            #expect(said.error.contains(text), "\(words): \(said.error)")
            #expect(!said.error.contains("no collection"), "\(words): \(said.error)")
        }
    }

    @Test func `a damaged database is told as one`() throws {
        let path = "\(device.home)/store.sqlite"
        let file = unsafe open(path, O_WRONLY)
        let noise = [UInt8](repeating: 0x5a, count: 4096)
        for page in 1..<20 { _ = unsafe pwrite(file, noise, noise.count, off_t(page * 4096)) }
        close(file)
        try expect("damaged")
    }

    @Test func `a file that is no database is told as one`() throws {
        try FileText.write(
            "this is no database, but it is long enough", to: "\(device.home)/store.sqlite")
        try expect("not a Linnet database")
    }

    @Test func `a wrong passphrase is told as one`() throws {
        let good = try device.write("good", "the first\n")
        let bad = try device.write("bad", "the second\n")
        #expect(try device.run("passphrase", "set", "--new-passphrase-file", good).code == 0)
        try expect("is wrong", ["--passphrase-file", bad])
        try expect("--passphrase-file")
    }

    @Test func `a home that is open to others is told as one`() throws {
        unsafe chmod(device.home, 0o755)
        try expect("chmod 700")
        unsafe chmod(device.home, 0o700)
        unsafe chmod("\(device.home)/key", 0o644)
        try expect("chmod 600")
    }

    @Test func `a home that is not there is told as one`() throws {
        unsafe _ = rename(device.home, "\(device.directory)/elsewhere")
        for words in Self.commands {
            let said = try device.run(words)
            #expect(said.code != 0 && said.error.contains("no home directory"), "\(words)")
        }
    }
}
