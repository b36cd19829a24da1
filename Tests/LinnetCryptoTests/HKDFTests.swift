import LinnetCrypto
import Testing

// Expected values: Python's hmac with hashlib.blake2b.
struct HKDFTests {
    @Test func `three outputs are those of another implementation`() {
        let expected = hex(
            "b257cf2863e7aa7f84d41d31e58df6dfb1e0a6cf3172192cc35eba2625a21975"
                + "db4475b2ef89316383acac6b2ac7cf03f7583e0ff20a64fb208fa5b1199f835f"
                + "4f4d712feaff914e80db4d0d400a46056854134b5001018c4f1fe19bb477053c"
                + "5a9b92f8c937b1328c0ae7e51895b8d68068bc84d59436cc3b75de5a2d6d0630"
                + "c3e03a921f0f492329fe003e995b982fdd8c0596cc3575e01c2f24234e05e477"
                + "8d233726d60ffe48a7d9ef235a6ff5fac555bafcfdd1272c4763ded2e01c0c3f")
        var outputs = countingSecret(192)
        HKDF.advance(&outputs, input: countingSecret(32))
        #expect(outputs.exposed() == expected)
        outputs = SecretBytes(joining: countingSecret(64), SecretBytes(zeroed: 128))
        HKDF.advance(&outputs, input: counting(32))
        #expect(outputs.exposed() == expected)
    }

    @Test func `of two outputs the first two are the same, and the third keeps what it held`() {
        var three = countingSecret(192)
        var two = countingSecret(192)
        HKDF.advance(&three, input: countingSecret(32))
        HKDF.advance(&two, input: countingSecret(32), outputs: 2)
        let second = 0..<HKDF.second.upperBound
        #expect(two.slice(second).exposed() == three.slice(second).exposed())
        #expect(two.slice(HKDF.third).exposed() == countingSecret(192).slice(HKDF.third).exposed())
    }

    @Test func `an input without bytes gives the known result`() {
        var outputs = countingSecret(192)
        HKDF.advance(&outputs, input: [])
        #expect(
            outputs.slice(HKDF.second).exposed()
                == hex(
                    "8481b385940ea1ddc1e37243d34e6a00d9e35fe86844b75be2f9d084efcbf4a9"
                        + "d18c764645baf5262707efcb490c9ddfcc81c78ff75e1e727428f05b9fee857f"))
    }

    @Test func `other lengths are refused`() async {
        for count in [64, 191, 193] {
            await #expect(processExitsWith: .failure) { [count = count as Int] in
                var outputs = SecretBytes(zeroed: count)
                HKDF.advance(&outputs, input: [])
            }
        }
    }
}
