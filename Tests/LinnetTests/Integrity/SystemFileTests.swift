import Testing

@testable import LinnetSystem

struct SystemFileTests {
    private let directory = TemporaryDirectory()

    @Test func `a file above the limit is not read, and one at it is`() {
        directory.write("small", String(repeating: "x", count: SystemFile.sizeLimitBytes))
        directory.write("large", String(repeating: "x", count: SystemFile.sizeLimitBytes + 1))
        #expect(SystemFile.text("\(directory.path)/small")?.count == SystemFile.sizeLimitBytes)
        #expect(SystemFile.text("\(directory.path)/large") == nil)
        #expect(SystemFile.text("\(directory.path)/none") == nil)
    }

    @Test func `a file that is not there is told from one that cannot be looked at`() {
        directory.write("file", "x")
        #expect(SystemFile.isMissing("\(directory.path)/none"))
        #expect(SystemFile.isMissing("\(directory.path)/file/none"))
        #expect(!SystemFile.isMissing("\(directory.path)/file"))
        #expect(SystemFile.target(ofLink: "\(directory.path)/file") == nil)
        #expect(SystemFile.names(directory.path) == ["file"])
    }
}
