import LinnetCrypto
import Testing

// Expected values: Python's hmac with hashlib.blake2b.
struct HMACTests {
    @Test func `the code is that of another implementation`() {
        let secret = SecretBytes(copying: Array("secret".utf8))
        #expect(
            HMAC.authenticate(key: countingSecret(64), secret, suffix: [1]).exposed()
                == hex(
                    "4682675934108bfe45903073c07b4cfdfd6ec219c1fec8cc96c3ee8450526754"
                        + "83a59087888877adc064130d347636ac6c7cfeb37c8ccebe280b1740b52ec2df"))
        #expect(
            HMAC.authenticate(key: countingSecret(128), secret).exposed()
                == hex(
                    "a6c5ea1cf11c03d393071995e57e6adba06d9ab3b843bf58dbc8a44d97a0f443"
                        + "3252f65c9365ca20ce77a3a845f3962aea50fc53be43622da502fdb1d5c9bb6a"))
    }

    @Test func `it is not keyed BLAKE2b`() {
        #expect(
            HMAC.authenticate(key: countingSecret(64), SecretBytes(zeroed: 1)).exposed()
                != Hash.keyed(by: countingSecret(64), nil, [0], count: 64))
    }
}
