import Linnet
import Testing

struct FileStampTests {
    let directory = TemporaryDirectory()

    @Test func `a file that is written, or comes to be, changes the stamp`() {
        let files = ["a.txt", "b.txt"].map { "\(directory.path)/\($0)" }
        directory.write("a.txt", "one")
        let first = FileStamp(files)
        #expect(FileStamp(files) == first)
        directory.write("a.txt", "two, longer")
        let second = FileStamp(files)
        #expect(second != first)
        directory.write("b.txt", "")
        #expect(FileStamp(files) != second)
    }
}
