import Foundation
import Linnet
import Testing

/// A node that comes back from recovery words and a folder alone.
@Suite(.timeLimit(.minutes(5)))
struct NodeDoorTests {
    private let home = TestHome()

    private func folder() throws -> String {
        try FileManager.default.createDirectory(
            atPath: home("box"), withIntermediateDirectories: true)
        return "folder:" + home("box")
    }

    private func phrase(_ text: String) throws -> Passphrase { try #require(Passphrase(text)) }

    /// A device that left a record in a folder, with words; it is stopped.
    private func lost(_ address: String, draws: Bool = true) async throws -> Passphrase {
        let laptop = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let drawn = try Node.drawRecoveryWords().joined(separator: " ")
        let words = try phrase(draws ? drawn : "a sentence of my own")
        try await laptop.createRecovery(words)
        #expect(try await laptop.recoveryStatus().opensDoors == draws)
        try await laptop.addMailbox(address)
        try await laptop.set("medication", "m1", ["name": "Tea"])
        for look in try await laptop.syncMailboxes() { #expect(look.failure == nil) }
        await laptop.stop()
        return words
    }

    private func recover(
        _ name: String, _ address: String, _ words: Passphrase
    ) async throws -> RecoveredGroup {
        try await Node.recover(
            at: home(name), fromMailbox: address, phrase: words,
            device: .joining(name: "New", kind: .phone))
    }

    private func reason(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch LinnetError.recovery(.noDoor(let why)) {
            return why
        } catch {
            return "\(error)"
        }
    }

    @Test func `words and a folder bring back what was there, and a second time`() async throws {
        let address = try folder()
        let words = try await lost(address)
        try FileManager.default.removeItem(atPath: home("laptop"))
        let found = try await recover("new", address, words)
        #expect(found.batches > 0 && found.refused == 0)
        #expect(found.newest?.device.name == "Laptop")
        // The words came after the first keys, under which the laptop left records, too.
        #expect(found.findings.count == 1)
        #expect(found.findings.first?.hasPrefix("objects there that do not open") == true)
        let new = try await Node.open(at: home("new"))
        #expect(try await new.get("medication", "m1") != nil)
        #expect(try await new.mailboxes().map(\.address) == [address])
        try await new.recover(removing: .all, phrase: words)
        for look in try await new.syncMailboxes() { #expect(look.failure == nil) }
        try await new.set("medication", "m2", ["name": "Milk"])
        _ = try await new.syncMailboxes()
        await new.stop()
        let again = try await recover("again", address, words)
        #expect(again.newest?.device.name == "New")
        let node = try await Node.open(at: home("again"))
        #expect(try await node.get("medication", "m2") != nil)
        #expect(try await node.status().devices.count == 2)
        await node.stop()
    }

    @Test func `what does not lead to the group is told, and leaves no home`() async throws {
        let address = try folder()
        let seven = try phrase("abacus abdomen abide ability ablaze able abrasion")
        #expect(
            await reason { _ = try await recover("new", address, seven) }?
                .contains("there is no door") == true)
        let words = try await lost(address)
        #expect(
            await reason { _ = try await recover("new", address, seven) }?
                .contains("none opens with these words") == true)
        await #expect(throws: LinnetError.self) {
            _ = try await recover("new", "folder:" + home("nowhere"), words)
        }
        try FileManager.default.moveItem(atPath: home("box") + "/h", toPath: home("away"))
        #expect(
            await reason { _ = try await recover("new", address, words) }?
                .contains("nothing that any device wrote") == true)
        #expect(!FileManager.default.fileExists(atPath: home("new")))
        try FileManager.default.moveItem(atPath: home("away"), toPath: home("box") + "/h")
        // A device that is there already is left as it is.
        await #expect(throws: LinnetError.self) {
            _ = try await recover("laptop", address, words)
        }
        #expect(FileManager.default.fileExists(atPath: home("laptop") + "/key"))
        _ = try await recover("new", address, words)
    }

    @Test func `words that a person chose have no door`() async throws {
        let address = try folder()
        let words = try await lost(address, draws: false)
        #expect(!FileManager.default.fileExists(atPath: home("box") + "/d"))
        #expect(await reason { _ = try await recover("new", address, words) } != nil)
    }

    @Test func `a recovery that was cut short is told, and begun anew`() async throws {
        let address = try folder()
        let words = try await lost(address)
        let manager = FileManager.default
        for files in [["recovery.new"], ["recovery.new", "key"], ["recovery.new", "key", "lock"]] {
            let name = "new\(files.count)"
            try manager.createDirectory(
                atPath: home(name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            for file in files {
                #expect(manager.createFile(atPath: home(name) + "/" + file, contents: Data()))
            }
            await #expect(throws: LinnetError.self) { _ = try await Node.open(at: home(name)) }
            await #expect(throws: LinnetError.self) {
                _ = try await Node.create(at: home(name), name: "X", kind: .phone)
            }
            _ = try await recover(name, address, words)
            let node = try await Node.open(at: home(name))
            #expect(try await node.get("medication", "m1") != nil)
            await node.stop()
        }
    }
}
