import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct KeyFileTests {
    private static let passphrase = SharedSecret(SecretBytes(copying: Array("seven words".utf8)))

    private static func file(passphrase: SharedSecret? = nil) throws -> [UInt8] {
        var entropy = entropy(9)
        return try KeyFile.encode(TestDevice(1).keys, passphrase: passphrase, entropy: &entropy)
    }

    /// The error with which a file is refused.
    private static func refusal(
        _ file: [UInt8], passphrase: SharedSecret? = nil
    ) -> MembershipError? {
        membershipError { _ = try KeyFile.decode(file, passphrase: passphrase) }
    }

    /// The file with its check value made to fit again.
    private static func rechecked(_ file: [UInt8]) -> [UInt8] {
        let content = Array(file.dropLast(32))
        return content + Hash.blake2b(.check, content)
    }

    @Test(arguments: [nil, KeyFileTests.passphrase])
    func `the keys come back with their certificate`(passphrase: SharedSecret?) throws {
        let file = try Self.file(passphrase: passphrase)
        #expect(file.count == KeyFile.byteCount)
        #expect(try KeyFile.needsPassphrase(file) == (passphrase != nil))
        let keys = try KeyFile.decode(file, passphrase: passphrase)
        #expect(keys.certificate == TestDevice(1).certificate)
        let same = keys.databaseKey.equals(TestDevice(1).keys.databaseKey)
        #expect(same)
    }

    @Test func `a file without a passphrase opens whatever passphrase is offered`() throws {
        let keys = try KeyFile.decode(try Self.file(), passphrase: Self.passphrase)
        #expect(keys.device == TestDevice(1).device)
    }

    @Test func `no secret stands in the file in clear`() throws {
        let file = try Self.file(passphrase: Self.passphrase)
        let secret = TestDevice(1).keys.databaseKey.exposed()
        for start in file.indices.dropLast(8) {
            let piece = Array(file[start..<start + 8])
            #expect(!(0...24).contains { Array(secret[$0..<$0 + 8]) == piece })
        }
    }

    @Test func `a file that ends early is refused by name`() throws {
        let file = try Self.file()
        for count in file.indices {
            #expect(Self.refusal(Array(file.prefix(count))) == .keyFileTruncated)
        }
    }

    @Test func `every flipped byte is noticed and named`() throws {
        let file = try Self.file()
        for index in file.indices {
            var flipped = file
            flipped[index] ^= 0x04
            let expected: MembershipError =
                index < 4 ? .notAKeyFile : index == 4 ? .keyFileFromTheFuture : .keyFileDamaged
            #expect(Self.refusal(flipped) == expected)
        }
        #expect(Self.refusal(file + [0]) == .keyFileDamaged)
    }

    @Test func `changes under a fitting check value are noticed too`() throws {
        let file = try Self.file()
        for index in 18..<file.count - 32 {
            var flipped = file
            flipped[index] ^= 0x80
            #expect(Self.refusal(Self.rechecked(flipped)) == .keyFileDamaged)
        }
    }

    @Test func `a later version and an unknown derivation ask for an upgrade`() throws {
        var later = try Self.file()
        later[4] = 2
        #expect(Self.refusal(later) == .keyFileFromTheFuture)
        #expect(Self.refusal(Array(later.prefix(7))) == .keyFileFromTheFuture)
        var unknown = try Self.file()
        unknown[5] = 2
        #expect(Self.refusal(Self.rechecked(unknown)) == .keyFileFromTheFuture)
    }

    @Test func `a wrong or missing passphrase is told apart from damage`() throws {
        let file = try Self.file(passphrase: Self.passphrase)
        let other = SharedSecret(SecretBytes(copying: Array("eight words".utf8)))
        #expect(Self.refusal(file) == .passphraseNeeded)
        #expect(Self.refusal(file, passphrase: other) == .wrongPassphrase)
    }

    @Test(arguments: [6, 10, 14])
    func `absurd costs are refused before memory is taken`(offset: Int) throws {
        var file = try Self.file(passphrase: Self.passphrase)
        file[offset] = 0x7f
        #expect(
            Self.refusal(Self.rechecked(file), passphrase: Self.passphrase)
                == .keyFileCostRefused)
    }

    @Test func `another file is not a key file`() {
        #expect(Self.refusal(Array("SQLite format 3".utf8)) == .notAKeyFile)
        #expect(Self.refusal([]) == .keyFileTruncated)
    }
}
