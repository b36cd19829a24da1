import Foundation
import LinnetSystem
import Testing

/// A real folder as a store.
struct FolderMailboxTests {
    private let directory = TemporaryDirectory()
    private let name = "p/" + String(repeating: "a", count: 26)

    private var folder: FolderMailbox { FolderMailbox(at: directory.path) }

    private func files(_ letter: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/\(letter)")
    }

    @Test func `what is put is got, listed and deleted, and nothing else is left`() throws {
        #expect(try folder.list("p", upTo: 10).isEmpty)
        #expect(try folder.get(name, upTo: 10) == nil)
        try folder.put([1, 2, 3], name)
        try folder.put([1, 2, 3], name)
        #expect(try folder.get(name, upTo: 10) == [1, 2, 3])
        #expect(try folder.list("p", upTo: 10) == [name])
        #expect(try files("p").count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/\(name)")
        #expect(mode[.posixPermissions] as? Int == 0o600)
        try folder.delete(name)
        try folder.delete(name)
        #expect(try folder.list("p", upTo: 10).isEmpty)
        #expect(try files("p").isEmpty)
    }

    @Test func `an empty object and one that is too long are told apart`() throws {
        try folder.put([], name)
        #expect(try folder.get(name, upTo: 10) == [])
        try folder.put([UInt8](repeating: 1, count: 11), name)
        #expect(try folder.get(name, upTo: 10) == nil)
        #expect(try folder.get(name, upTo: 11)?.count == 11)
    }

    @Test func `strange files are listed as they are, and unfinished ones are not`() throws {
        try folder.put([1], name)
        for strange in ["x.sync-conflict-1", ".stfolder", ".part-7", "Ä"] {
            try Data().write(to: URL(filePath: "\(directory.path)/p/\(strange)"))
        }
        let names = try folder.list("p", upTo: 10)
        #expect(Set(names) == [name, "p/x.sync-conflict-1", "p/.stfolder", "p/Ä"])
        #expect(try folder.list("p", upTo: 2).count == 2)
        #expect(try files("p").contains(".part-7"))
    }

    @Test func `a link, a directory or a pipe under a name is no object and holds nobody`() throws {
        try folder.put([1], name)
        let path = "\(directory.path)/\(name)"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "/etc/passwd")
        #expect(try folder.get(name, upTo: 1 << 20) == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(unsafe mkfifo(path, 0o600) == 0)
        #expect(try folder.get(name, upTo: 10) == nil)
        // A put takes the place of what is no file.
        try folder.put([2], name)
        #expect(try folder.get(name, upTo: 10) == [2])
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(try folder.get(name, upTo: 10) == nil)
        #expect(throws: MailboxError.self) { try folder.put([2], name) }
        #expect(try files("p").count == 1)
    }

    @Test func `a file that cannot be read holds up no other`() throws {
        try folder.put([1], name)
        let path = "\(directory.path)/\(name)"
        try FileManager.default.removeItem(atPath: path)
        // The system opens no socket as a file, as it opens no file of somebody else.
        #expect(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
        #expect(try folder.get(name, upTo: 10) == nil)
        #expect(try folder.list("p", upTo: 10) == [name])
    }

    @Test func `the first failure of a put is told, whatever its cleaning up comes to`() {
        let (first, second) = (MailboxError.refused("full"), MailboxError.refused("not there"))
        for cleaning in [second, nil] {
            #expect(throws: first) {
                try FolderMailbox.attempt { () throws(MailboxError) in
                    throw first
                } orElse: { () throws(MailboxError) in
                    if let cleaning { throw cleaning }
                }
            }
        }
    }

    @Test func `a link in place of a directory leads nowhere`() throws {
        let other = TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.path)/p", withDestinationPath: other.path)
        #expect(throws: MailboxError.self) { try folder.put([1], name) }
        #expect(throws: MailboxError.self) { _ = try folder.list("p", upTo: 10) }
        #expect(throws: MailboxError.self) { _ = try folder.get(name, upTo: 10) }
        #expect(throws: MailboxError.self) { try folder.delete(name) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)
    }

    @Test func `a folder that is not there is told, and never made`() throws {
        let gone = FolderMailbox(at: "\(directory.path)/gone")
        let absent = MailboxError.absent(path: "\(directory.path)/gone")
        #expect(throws: absent) { _ = try gone.list("h", upTo: 1) }
        #expect(throws: absent) { _ = try gone.get(name, upTo: 1) }
        #expect(throws: absent) { try gone.put([1], name) }
        #expect(throws: absent) { try gone.delete(name) }
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/gone"))
        #expect(absent.description.contains("is not there"))
    }

    @Test(arguments: [
        "p/../key", "p/" + String(repeating: "A", count: 26), "pp/a", "a", "", "/p/a",
    ])
    func `a name that could lead elsewhere is refused`(name: String) {
        #expect(throws: MailboxError.self) { try folder.put([1], name) }
        #expect(throws: MailboxError.self) { _ = try folder.get(name, upTo: 1) }
        #expect(throws: MailboxError.self) { try folder.delete(name) }
    }

    @Test func `MailboxAddress takes absolute folders alone`() throws {
        _ = try MailboxAddress.open("folder:\(directory.path)")
        for wrong in ["folder:relative", "folder:", directory.path, "ftp://h/b", ""] {
            #expect(throws: MailboxError.badAddress(wrong)) {
                _ = try MailboxAddress.open(wrong)
            }
        }
    }
}
