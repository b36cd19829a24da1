import LinnetCLI
import Testing

@Suite struct FileStampTests {
    @Test func `a file that is written, or comes to be, changes the stamp`() throws {
        let device = TestDevice()
        let file = try device.write("a.txt", "one")
        let other = file + ".other"
        let first = FileStamp([file, other])
        #expect(FileStamp([file, other]) == first)
        _ = try device.write("a.txt", "two, longer")
        let second = FileStamp([file, other])
        #expect(second != first)
        _ = try device.write("a.txt.other", "")
        #expect(FileStamp([file, other]) != second)
    }
}
