import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import LinnetControl
import LinnetWire

/// The homes and files that wrong inputs are tried on, in a directory of their own.
final class WrongInputFixture {
    private let device = TestDevice()
    var directory: String { device.directory }

    init() throws {
        try makeFiles()
        try makeHomes()
        try damage()
    }

    // MARK: What is there

    private func makeFiles() throws {
        unsafe mkdir("\(directory)/adir", 0o755)
        unsafe mkdir("\(directory)/share", 0o700)
        for (name, text, mode) in [
            ("good.pass", "right horse\n", 0o600), ("wrong.pass", "wrong\n", 0o600),
            ("two.pass", "a\nb\n", 0o600), ("empty.pass", "", 0o600), ("open.pass", "x\n", 0o644),
        ] as [(String, String, mode_t)] {
            let path = try device.write(name, text)
            unsafe chmod(path, mode)
        }
        for (name, bytes) in WrongInputFiles.all {
            try FileText.write(bytes, to: "\(directory)/\(name)")
        }
        let pantry = try FileText.read(Self.samples + "/pantry.json")
        try FileText.write(pantry, to: "\(directory)/fine.json")
        let text = String(decoding: pantry, as: UTF8.self)
        _ = try device.write(
            "retyped.json", text.replacing("\"type\": \"int\"", with: "\"type\": \"decimal\""))
    }

    private func makeHomes() throws {
        try call("home", "init --name Laptop --kind laptop")
        try call("home", "set medication/m1 name=Metformin form=tablet amount=500 unit=mg")
        try call("home", "set stock/m1 stock=30")
        try call("home", "backup {dir}/home.linnet")
        try call("pantry", "init --name Pantry --kind laptop --schema {dir}/fine.json")
        try call("pantry", "set item/tea name=Tea amount=2.5 per=box stock=3")
        try call("pantry", "set item/coffee name=Coffee")
        try call("pantry", "insert purchase/2025-03-31 of=tea day=2025-03-31")
        try call(
            "secret", "init --name Secret --kind laptop --passphrase-file {dir}/good.pass")
    }

    private func damage() throws {
        let backup = try FileText.read("\(directory)/home.linnet")
        try FileText.write(Array(backup.prefix(5_000)), to: "\(directory)/cut.linnet")
        var bent = backup
        bent[9_000] ^= 1
        try FileText.write(bent, to: "\(directory)/bent.linnet")
        for name in ["loose", "loosekey", "nokey", "bentkey", "emptyhome"] {
            unsafe mkdir("\(directory)/\(name)", 0o700)
            if name == "emptyhome" { continue }
            for file in ["key", "key.bak", "store.sqlite", "witness"] {
                if name == "nokey", file.hasPrefix("key") { continue }
                var bytes = try FileText.read("\(directory)/home/\(file)")
                if name == "bentkey", file.hasPrefix("key") { bytes[100] ^= 1 }
                try FileText.write(bytes, to: "\(directory)/\(name)/\(file)")
            }
        }
        unsafe chmod("\(directory)/loose", 0o755)
        unsafe chmod("\(directory)/loosekey/key", 0o644)
    }

    private func call(_ home: String, _ line: String) throws {
        let outcome = try run(home, try WrongInput.words(of: line))
        if outcome.code != 0 { throw ControlFailure.failed("\(line): \(outcome.error)") }
    }

    static let samples: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/") + "/docs/samples"
    }()

    // MARK: Trying

    /// Runs a command on one of the homes, with nobody to ask.
    func run(_ home: String, _ words: [String]) throws -> TestDevice.Outcome {
        let words = words.map { $0.replacing("{dir}", with: directory) }
        return try device.run(
            words + ["--home", "\(directory)/\(home)"], environment: [("LINNET_HOME", "")])
    }

    /// Runs a script whose `$0` is the program, and whose `$@` are the words.
    func shell(_ script: String, _ words: [String]) throws -> TestDevice.Outcome {
        let output = "\(directory)/shell.out"
        let process = try ChildProcess(
            ["/bin/bash", "-c", script, TestDevice.program] + words, environment: [],
            output: output, error: "\(output).err")
        return device.finish(process, output)
    }

    /// All that is there: paths with modes, and the bytes of files.
    ///
    /// Opening a home notes in its witness file that it was opened, and SQLite keeps an index of
    /// its own beside a database that is open: both say nothing of what the home holds.
    func contents() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        var directories = [directory]
        while let path = directories.popLast() {
            for name in try names(in: path) {
                let place = "\(path)/\(name)"
                var status = stat()
                guard unsafe lstat(place, &status) == 0 else { continue }
                let key = "\(place) \(String(status.st_mode, radix: 8))"
                if status.st_mode & S_IFMT == S_IFDIR {
                    directories.append(place)
                    found[key] = []
                } else if !Self.isNoise(name) {
                    found[key] = try FileText.read(place)
                }
            }
        }
        return found
    }

    private static func isNoise(_ name: String) -> Bool {
        ["witness", "lock", "store.sqlite-shm", "store.sqlite-wal"].contains(name)
            || name.hasSuffix(".out") || name.hasSuffix(".out.err")
    }

    private func names(in path: String) throws -> [String] {
        guard let opened = unsafe opendir(path) else {
            throw ControlFailure.failed("\(path) cannot be listed")
        }
        defer { unsafe closedir(opened) }
        var names: [String] = []
        while let entry = unsafe readdir(opened) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
