import Foundation
import Linnet
import LinnetCLI
import Testing

/// Homes and backups that earlier releases wrote, opened by this one.
struct ReleasesTests {
    /// The folders that `scripts/keep-release` made, one a release.
    private static let folders: [URL] = {
        let releases = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Releases")
        let found = try? FileManager.default.contentsOfDirectory(
            at: releases, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
    }()

    @Test func `at least one release is kept`() {
        #expect(!Self.folders.isEmpty)
    }

    @Test(arguments: folders)
    func `a kept home shows what it showed, takes writes and reaches a new device`(
        folder: URL
    ) throws {
        let device = TestDevice()
        try copyHome(of: folder, to: device)
        try expect(device, toShow: folder)
        #expect(try device.run("set", "medication/new", "name=New").code == 0)
        let member = try device.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery",
        ])
        let port = try #require(try member.next("ready")["port"]?.line)
        let offer = try device.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let phone = TestDevice()
        let peer = "127.0.0.1:\(port)"
        let joined = try phone.run(
            "join", "--name", "New", "--kind", "phone", "--code", code, "--peer", peer)
        #expect(joined.code == 0)
        #expect(offer.waitForEnd() == 0)
        #expect(try phone.run("sync", "--peer", peer).code == 0)
        #expect(try phone.run("digest").output == device.run("digest").output)
        #expect(try phone.run("get", "medication/new").code == 0)
        #expect(member.end() == 0)
    }

    @Test(arguments: folders)
    func `a kept home gives its group the schema by command, and by its first run`(
        folder: URL
    ) throws {
        let asked = TestDevice()
        try copyHome(of: folder, to: asked)
        let given = try asked.run("schema", "publish")
        #expect(given.code == 0 && given.output.contains("carries this home's schema now"))
        #expect(try asked.run("schema", "publish").output.contains("already"))
        let run = TestDevice()
        try copyHome(of: folder, to: run)
        let node = try run.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery",
        ])
        _ = try node.next("ready")
        #expect(node.end() == 0)
        #expect(try run.run("schema", "publish").output.contains("already"))
        // Reading alone publishes nothing.
        let read = TestDevice()
        try copyHome(of: folder, to: read)
        #expect(try read.run("list", "medication").code == 0)
        #expect(try read.run("schema", "publish").output.contains("schema now"))
    }

    @Test(arguments: folders)
    func `a kept backup is restored with its passphrase`(folder: URL) throws {
        let device = TestDevice()
        let passphrase = try device.write("passphrase", text(folder, "passphrase"))
        let backup = folder.appending(path: "backup.linnet").path
        #expect(try device.run("restore", backup).code == 1)
        #expect(try device.run("restore", backup, "--passphrase-file", passphrase).code == 0)
        #expect(try device.run("passphrase", "remove", "--passphrase-file", passphrase).code == 0)
        try expect(device, toShow: folder)
    }

    /// Compares the digest, and every member of every line of the kept export.
    private func expect(_ device: TestDevice, toShow folder: URL) throws {
        let digest = try #require(try device.run("digest", "--whole", "--json").objects().first)
        #expect(try digest["digest"]?.string == text(folder, "digest").filter { $0 != "\n" })
        let path = "\(device.directory)/shown.jsonl"
        #expect(try device.run("export", path).code == 0)
        let shown = try lines(device.read(path))
        let kept = try lines(text(folder, "export.jsonl"))
        #expect(shown.count == kept.count && !kept.isEmpty)
        for (now, then) in zip(shown, kept) {
            guard case .object(let members) = then else { continue }
            for member in members { #expect(now[member.name] == member.value, "\(then.line)") }
        }
    }

    private func lines(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
    }

    private func text(_ folder: URL, _ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Git keeps no modes that close a file to others.
    private func copyHome(of folder: URL, to device: TestDevice) throws {
        let files = FileManager.default
        try files.copyItem(atPath: folder.appending(path: "home").path, toPath: device.home)
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: device.home)
        for name in try files.contentsOfDirectory(atPath: device.home) {
            try files.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: "\(device.home)/\(name)")
        }
    }
}
