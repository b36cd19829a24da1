import Foundation
import LinnetSystem
import Testing

@testable import Linnet

@Suite struct ContentFileTests {
    private let directory = TemporaryDirectory()

    private func path(_ name: String) -> String { directory.path + "/" + name }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test func `a file has its name once all of it is there`() throws {
        let file = try ContentFile(path: path("a"), replaces: false)
        try file.append([1, 2])
        try file.append([3])
        #expect(try names() == [".a.partial"])
        try file.finish()
        #expect(try names() == ["a"])
        #expect(FileManager.default.contents(atPath: path("a")) == Data([1, 2, 3]))
    }

    @Test func `a file that was not finished leaves nothing`() throws {
        func begin() throws { try ContentFile(path: path("a"), replaces: false).append([1]) }
        try begin()
        #expect(try names().isEmpty)
    }

    @Test func `an existing file is replaced only where that was asked for`() throws {
        try Data([9]).write(to: URL(filePath: path("a")))
        #expect(throws: HomeError.self) { try ContentFile(path: path("a"), replaces: false) }
        let file = try ContentFile(path: path("a"), replaces: true)
        try file.append([1])
        #expect(FileManager.default.contents(atPath: path("a")) == Data([9]))
        try file.finish()
        #expect(FileManager.default.contents(atPath: path("a")) == Data([1]))
    }

    @Test(arguments: ["relative", "/", "/tmp/.."])
    func `a path that is no place for a file is refused`(_ path: String) {
        #expect(throws: HomeError.self) { try ContentFile(path: path, replaces: true) }
    }
}
