import LinnetMembership
import Testing

@testable import Linnet

struct BackupFileTests {
    private let head = BackupFile.Head(
        keyBytes: KeyFile.byteCount, databaseBytes: 70_000, createdMilliseconds: 1_700_000_000_000)

    private func refusal(_ bytes: [UInt8], size: Int) -> LinnetError? {
        do throws(LinnetError) {
            _ = try BackupFile.Head(bytes, size: size)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a head survives the journey`() throws {
        #expect(head.encoded.count == BackupFile.headBytes)
        #expect(try BackupFile.Head(head.encoded, size: head.totalBytes) == head)
    }

    @Test func `a head that is cut short is refused at every length`() {
        for count in 0..<BackupFile.headBytes {
            #expect(refusal(Array(head.encoded.prefix(count)), size: count) != nil)
        }
    }

    @Test func `a file of another size is cut short or damaged`() {
        let size = head.totalBytes
        #expect(refusal(head.encoded, size: size - 1) == .restore("the file is cut short"))
        #expect(refusal(head.encoded, size: size + 1) == .restore("the file is damaged"))
    }

    @Test func `another program's file and a later version have names`() {
        var bytes = head.encoded
        bytes[0] ^= 1
        #expect(
            refusal(bytes, size: head.totalBytes)
                == .restore("the file is not a Linnet backup"))
        bytes = head.encoded
        bytes[11] = 2
        #expect(
            refusal(bytes, size: head.totalBytes)
                == .restore("a newer version of Linnet made it: upgrade this one"))
    }

    @Test func `absurd sizes are refused without arithmetic that traps`() {
        var bytes = head.encoded
        for index in 12..<24 {
            bytes[index] = 0xff
            #expect(refusal(bytes, size: head.totalBytes) != nil)
        }
    }
}
