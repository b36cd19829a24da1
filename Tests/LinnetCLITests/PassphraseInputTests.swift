import Glibc
import Linnet
import LinnetControl
import LinnetCrypto
import Testing

@testable import LinnetCLI

struct PassphraseInputTests {
    private let device = TestDevice()

    private func text(_ passphrase: Passphrase) -> String {
        String(decoding: passphrase.secret.bytes.exposed(), as: UTF8.self)
    }

    private func refusal(_ path: String) -> String? {
        do throws(ControlFailure) {
            _ = try PassphraseInput.read(file: path)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: ["seven words", "seven words\n", "seven words\r\n"])
    func `the line break at the end does not belong to a passphrase`(content: String) throws {
        let path = try device.write("p", content)
        #expect(text(try PassphraseInput.read(file: path)) == "seven words")
    }

    @Test(arguments: ["", "\n", "\r\n", "two\nlines", "a\n\n", String(repeating: "x", count: 1025)])
    func `what is no single line of the right length is refused`(content: String) throws {
        let path = try device.write("p", content)
        #expect(refusal(path)?.contains("holds no passphrase") == true)
    }

    @Test func `the longest passphrase fits with its line break`() throws {
        let path = try device.write("p", String(repeating: "x", count: 1024) + "\r\n")
        #expect(text(try PassphraseInput.read(file: path)).utf8.count == 1024)
    }

    @Test(arguments: [0o640, 0o604, 0o620] as [mode_t])
    func `a file that others may use is refused`(mode: mode_t) throws {
        let path = try device.write("p", "x")
        unsafe chmod(path, mode)
        #expect(refusal(path)?.contains("chmod 600") == true)
    }

    @Test func `a pipe is read to its end, and a missing file is named`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        unsafe _ = write(ends[1], "through a pipe\n", 15)
        close(ends[1])
        defer { close(ends[0]) }
        #expect(text(try PassphraseInput.read(file: "/dev/fd/\(ends[0])")) == "through a pipe")
        #expect(refusal("\(device.directory)/none")?.contains("cannot read") == true)
    }
}
