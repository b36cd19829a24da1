import Glibc
import Testing

@testable import Linnet

struct ShredderTests {
    let directory = TemporaryDirectory()

    private func opened() throws -> OpenFile { try OpenFile.directory(at: directory.path) }

    @Test func `a destroyed file is overwritten before it is unlinked`() throws {
        directory.write("file", String(repeating: "secret", count: 500))
        let descriptor = unsafe open("\(directory.path)/file", O_RDONLY)
        defer { close(descriptor) }
        var told = 0
        try Shredder.destroy("file", in: try opened()) { told += $0 }
        #expect(told == 3000)
        #expect(unsafe access("\(directory.path)/file", F_OK) != 0)
        var left = [UInt8](repeating: 0, count: 3000)
        #expect(unsafe pread(descriptor, &left, left.count, 0) == 3000)
        #expect(!String(decoding: left, as: UTF8.self).contains("secr"))
    }

    @Test func `what a link points to is left alone`() throws {
        directory.write("elsewhere", "kept")
        unsafe symlink("elsewhere", "\(directory.path)/link")
        try Shredder.destroy("link", in: try opened())
        #expect(directory.read("elsewhere") == Array("kept".utf8))
        #expect(unsafe access("\(directory.path)/link", F_OK) != 0)
    }

    @Test func `a pipe is unlinked without waiting, and nothing is no error`() throws {
        unsafe mkfifo("\(directory.path)/pipe", 0o600)
        try Shredder.destroy("pipe", in: try opened())
        try Shredder.destroy("pipe", in: try opened())
        #expect(unsafe access("\(directory.path)/pipe", F_OK) != 0)
    }
}
