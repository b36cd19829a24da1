import LinnetFaces
import Testing

@testable import Linnet

struct SharedDirectoryTests {
    @Test func `files are replaced whole, removed, and missing ones are nil`() throws {
        let temporary = TemporaryDirectory()
        let path = temporary.path + "/share"
        #expect(try SharedDirectory(at: path).bytes(of: .snapshot) == nil)
        var directory = try SharedDirectory.create(at: path)
        try directory.replace(.snapshot, with: [1, 2, 3])
        try directory.replace(.snapshot, with: [4])
        #expect(try directory.bytes(of: .snapshot) == [4])
        #expect(try SharedDirectory.create(at: path).bytes(of: .snapshot) == [4])
        #expect(try OpenFile.directory(at: path).names() == ["faces.snapshot"])
        try directory.replace(.snapshot, with: nil)
        try directory.replace(.snapshot, with: nil)
        #expect(try directory.bytes(of: .snapshot) == nil)
    }

    @Test func `a path that is no directory is refused`() throws {
        let temporary = TemporaryDirectory()
        let path = temporary.path + "/file"
        try OpenFile.creating(at: path).write([1])
        #expect(throws: HomeError.notADirectory(path: path)) {
            try SharedDirectory.create(at: path)
        }
        var directory = SharedDirectory(at: path)
        #expect(throws: HomeError.notADirectory(path: path)) {
            try directory.replace(.key, with: [])
        }
    }
}
