import Glibc
import Linnet
import Testing

struct SystemErrorTests {
    @Test func `error numbers become the system's words`() {
        #expect(SystemError.text(of: ENOENT) == "No such file or directory")
        #expect(SystemError.text(of: 100_000).contains("100000"))
    }
}
