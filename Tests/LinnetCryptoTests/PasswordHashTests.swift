import LinnetCrypto
import Testing

struct PasswordHashTests {
    private func hash(
        _ cost: PasswordHash.Cost, salt: Int = 16, count: Int = 32
    ) throws(CryptoError) -> [UInt8] {
        try PasswordHash.argon2id(
            password: SecretBytes(copying: Array("password".utf8)),
            salt: [UInt8](repeating: 0, count: salt), cost: cost, count: count
        ).exposed()
    }

    // Agreed by libargon2 and the Python package argon2-cffi.
    @Test func `the standard costs give the known answer`() throws {
        #expect(
            try hash(.standard)
                == hex("00b1eed9bee6dc0641a507717db76b6520ec876ece6cd10925e43875b543575e"))
    }

    @Test func `hostile costs are refused before anything is allocated`() {
        let refused: [(UInt32, UInt32, UInt32)] = [
            (1 << 31, 3, 4), (1_048_577, 1, 1), (.max, .max, .max), (65_536, 11, 4),
            (65_536, 1 << 31, 4), (65_536, 3, 17), (65_536, 3, .max), (65_536, 0, 1),
            (65_536, 1, 0), (31, 1, 4), (0, 0, 0),
        ]
        for (memory, passes, lanes) in refused {
            let cost = PasswordHash.Cost(memoryKiB: memory, passes: passes, lanes: lanes)
            #expect(throws: CryptoError.badParameters) { try hash(cost) }
        }
    }

    @Test func `salts and results of other lengths are refused`() throws {
        let cheap = PasswordHash.Cost(memoryKiB: 8, passes: 1, lanes: 1)
        #expect(try hash(cheap, salt: 64, count: 64).count == 64)
        for (salt, count) in [(15, 32), (65, 32), (16, 15), (16, 65), (16, -1)] {
            #expect(throws: CryptoError.badParameters) {
                try hash(cheap, salt: salt, count: count)
            }
        }
    }
}
