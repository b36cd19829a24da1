import LinnetCrypto
import Testing

// Expected values: Python's hmac with hashlib.blake2b.
struct HKDFTests {
    @Test func `three outputs are those of another implementation`() {
        #expect(
            HKDF.derive(salt: countingSecret(64), input: countingSecret(32), outputs: 3).exposed()
                == hex(
                    "b257cf2863e7aa7f84d41d31e58df6dfb1e0a6cf3172192cc35eba2625a21975"
                        + "db4475b2ef89316383acac6b2ac7cf03f7583e0ff20a64fb208fa5b1199f835f"
                        + "4f4d712feaff914e80db4d0d400a46056854134b5001018c4f1fe19bb477053c"
                        + "5a9b92f8c937b1328c0ae7e51895b8d68068bc84d59436cc3b75de5a2d6d0630"
                        + "c3e03a921f0f492329fe003e995b982fdd8c0596cc3575e01c2f24234e05e477"
                        + "8d233726d60ffe48a7d9ef235a6ff5fac555bafcfdd1272c4763ded2e01c0c3f"))
    }

    @Test func `two outputs are the first two of three`() {
        let three = HKDF.derive(
            salt: countingSecret(128), input: SecretBytes(zeroed: 0), outputs: 3)
        let two = HKDF.derive(salt: countingSecret(128), input: SecretBytes(zeroed: 0), outputs: 2)
        #expect(two.exposed() == Array(three.exposed().prefix(128)))
    }

    @Test func `an input without bytes gives the known result`() {
        #expect(
            HKDF.derive(salt: countingSecret(128), input: SecretBytes(zeroed: 0), outputs: 2)
                .slice(0..<64).exposed()
                == hex(
                    "4599250c7b810bbde762b2513d1e1e5e92f76cbff8e2c5c82d160e63f57a438b"
                        + "35928a7e255ad736082d1641142621c0e8be81f6311e119541677337ef088d35"))
    }
}
