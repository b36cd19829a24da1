import Foundation
import Linnet
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeBackupTests {
    private let home = TestHome()
    private let passphrase: Passphrase

    init() throws {
        passphrase = try #require(Passphrase("a passphrase"))
    }

    /// A device with records, and a backup of it.
    private func backedUp(_ records: Int = 3, passphrase: Passphrase? = nil) async throws -> Node {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        for number in 0..<records {
            try await node.set("medication", "r\(number)", ["name": .text("N\(number)")])
        }
        try await node.backUp(to: home("backup"), passphrase: passphrase)
        return node
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: home(name))))
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: home(name)))
    }

    @Test func `a backup brings the device back, as a new author that forks nobody`() async throws {
        let node = try await backedUp()
        let digest = try await node.digest()
        try await node.set("medication", "later", ["name": "after the backup"])
        try await Node.restore(home("backup"), to: home("restored"))
        let restored = try await Node.open(at: home("restored"))
        #expect(restored.id == node.id)
        #expect(try await restored.digest() == digest)
        try await restored.set("medication", "other", ["name": "after the restoring"])
        #expect(
            try await restored.status().warnings.map(\.warning)
                == [.newAuthor(reason: "the witness file is missing")])
        await stop([node, restored])
        // A third device hears both lives: nothing of either is lost, and there is no fork.
        let laptop = try await Node.open(at: home("laptop"))
        try await laptop.start(.loopback)
        let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(.loopback)
        try await pair(phone, with: laptop)
        let first = try #require(await laptop.port)
        try await phone.sync(with: ["127.0.0.1:\(first)"])
        let events = await phone.events()
        await laptop.stop()
        _ = await wait(for: events) { if case .peerLost = $0 { true } else { false } }
        let again = try await Node.open(at: home("restored"))
        try await again.start(.loopback)
        let port = try #require(await again.port)
        try await phone.sync(with: ["127.0.0.1:\(port)"])
        for record in ["r0", "r2", "later", "other"] {
            #expect(try await phone.get("medication", record) != nil)
        }
        #expect(try await phone.status().warnings.map(\.warning.kind) == [.authorRenewed])
        await stop([phone, again])
    }

    @Test func `what is written while a backup runs is in it whole or not at all`() async throws {
        let node = try await backedUp(60)
        let isDone = Mutex(false)
        let writer = Task {
            var number = 0
            while !isDone.withLock({ $0 }) {
                var transaction = Transaction()
                transaction.set("medication", "x\(number)", ["name": "left"])
                transaction.set("medication", "y\(number)", ["name": "right"])
                _ = try await node.commit(transaction, durability: .relaxed)
                number += 1
                await Task.yield()
            }
        }
        let told = Mutex<[BackupProgress]>([])
        for number in 0..<4 {
            try await node.backUp(to: home("during\(number)")) { now in
                told.withLock { $0.append(now) }
            }
        }
        isDone.withLock { $0 = true }
        try await writer.value
        await node.stop()
        let steps = told.withLock { $0 }
        #expect(steps.allSatisfy { $0.doneBytes <= $0.totalBytes } && steps.count >= 4)
        for number in 0..<4 {
            try await Node.restore(home("during\(number)"), to: home("restored\(number)"))
            let restored = try await Node.open(at: home("restored\(number)"))
            let ids = try await restored.list("medication").map(\.id)
            #expect(ids.count(where: { $0.hasPrefix("r") }) == 60)
            let pairs = ids.filter { $0.hasPrefix("x") }.map { "y" + $0.dropFirst() }
            #expect(pairs.sorted() == ids.filter { $0.hasPrefix("y") }.sorted())
            await restored.stop()
        }
    }

    @Test func `a backup of a home without a passphrase takes one of its own`() async throws {
        let node = try await backedUp(passphrase: passphrase)
        await node.stop()
        await #expect(throws: LinnetError.passphraseNeeded) {
            try await Node.restore(home("backup"), to: home("restored"))
        }
        let other = try #require(Passphrase("another"))
        await #expect(throws: LinnetError.wrongPassphrase) {
            try await Node.restore(home("backup"), to: home("restored"), passphrase: other)
        }
        #expect(!FileManager.default.fileExists(atPath: home("restored")))
        try await Node.restore(home("backup"), to: home("restored"), passphrase: passphrase)
        await #expect(throws: LinnetError.passphraseNeeded) {
            try await Node.open(at: home("restored"))
        }
        await (try Node.open(at: home("restored"), passphrase: passphrase)).stop()
    }

    @Test func `a backup that cannot be written leaves nothing, and the node goes on`() async throws
    {
        let node = try await backedUp()
        let before = try bytes("backup")
        await #expect(throws: LinnetError.self) { try await node.backUp(to: home("backup")) }
        #expect(try bytes("backup") == before)
        await #expect(throws: LinnetError.self) {
            try await node.backUp(to: home("nowhere/backup"))
        }
        try Node.changePassphraseIsRefusedWhileRunning(home("laptop"))
        try await node.changePassphrase(.set(passphrase))
        let other = try #require(Passphrase("another"))
        await #expect(throws: LinnetError.wrongPassphrase) {
            try await node.backUp(to: home("second"), passphrase: other)
        }
        try await node.lock()
        await #expect(throws: LinnetError.locked) { try await node.backUp(to: home("second")) }
        try await node.unlock(passphrase)
        try await node.backUp(to: home("backup"), replacing: true)
        await node.stop()
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
        #expect(names == ["backup", "laptop"])
    }

    @Test func `a home that is not empty, or in use, takes no backup`() async throws {
        let node = try await backedUp()
        await #expect(throws: LinnetError.self) {
            try await Node.restore(home("backup"), to: home("laptop"))
        }
        #expect(try await node.get("medication", "r0") != nil)
        await node.stop()
        try FileManager.default.createDirectory(
            atPath: home("full"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try write([1], "full/notes")
        await #expect(throws: LinnetError.home(.notEmpty(path: home("full"), name: "notes"))) {
            try await Node.restore(home("backup"), to: home("full"))
        }
        #expect(try bytes("full/notes") == [1])
    }

    @Test
    func `a backup with a flipped bit or a missing end is refused before anything is written`()
        async throws
    {
        let node = try await backedUp()
        await node.stop()
        let good = try bytes("backup")
        for place in stride(from: 0, to: good.count, by: max(1, good.count / 60)) {
            var bad = good
            bad[place] ^= 0x10
            try write(bad, "bad")
            await #expect(throws: LinnetError.self) {
                try await Node.restore(home("bad"), to: home("restored"))
            }
            try write(Array(good[..<place]), "bad")
            await #expect(throws: LinnetError.self) {
                try await Node.restore(home("bad"), to: home("restored"))
            }
        }
        try write(good + [0], "bad")
        await #expect(throws: LinnetError.self) {
            try await Node.restore(home("bad"), to: home("restored"))
        }
        #expect(!FileManager.default.fileExists(atPath: home("restored")))
    }

    @Test func `a restoring that was cut short is no home, and is run again`() async throws {
        let node = try await backedUp()
        await node.stop()
        let files = FileManager.default
        let states = [
            ["restore.new"], ["restore.new", "restore.new-wal"], ["restore.new", "key"],
            ["restore.new", "key", "key.bak"], ["restore.new", "key", "key.new"],
        ]
        for state in states {
            try files.createDirectory(
                atPath: home("half"), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            for name in state {
                let source = name.hasPrefix("key") ? "laptop/key" : "laptop/store.sqlite"
                try files.copyItem(atPath: home(source), toPath: home("half/\(name)"))
            }
            await #expect(throws: LinnetError.home(.restoreUnfinished(path: home("half")))) {
                try await Node.open(at: home("half"))
            }
            try await Node.restore(home("backup"), to: home("half"))
            let restored = try await Node.open(at: home("half"))
            #expect(try await restored.get("medication", "r0") != nil)
            await restored.stop()
            #expect(try await Node.wipe(home("half")).left.isEmpty)
        }
    }

    @Test func `a copy of a home, and an older copy put back over it, write as new authors`()
        async throws
    {
        await (try await backedUp()).stop()
        try home.copy("laptop", to: "old")
        let newer = try await Node.open(at: home("laptop"))
        try await newer.set("medication", "newer", ["name": "N"])
        await newer.stop()
        // As `cp` does it: into the same files, with everything else of the old copy.
        for name in try FileManager.default.contentsOfDirectory(atPath: home("old")) {
            let file = try FileHandle(forWritingTo: URL(filePath: home("laptop/\(name)")))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: try Data(contentsOf: URL(filePath: home("old/\(name)"))))
            try file.close()
        }
        for name in ["laptop", "old"] {
            let node = try await Node.open(at: home(name))
            #expect(try await node.get("medication", "newer") == nil)
            try await node.set("medication", "new", ["name": "by the new author"])
            let warnings = try await node.status().warnings
            #expect(warnings.contains { $0.warning.kind == .newAuthor })
            await node.stop()
        }
    }
}

extension Node {
    fileprivate static func changePassphraseIsRefusedWhileRunning(_ home: String) throws {
        let passphrase = try #require(Passphrase("x"))
        #expect(throws: LinnetError.self) {
            try Node.changePassphrase(at: home, .set(passphrase))
        }
    }
}
