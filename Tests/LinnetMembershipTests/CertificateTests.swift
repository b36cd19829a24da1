import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct CertificateTests {
    private let certificate = TestDevice(1).certificate

    @Test func `a certificate reads back as it was written`() throws {
        let read = try Certificate(decoding: certificate.encoded)
        #expect(read == certificate)
        #expect(read.createdMilliseconds == 1)
    }

    @Test func `the bytes are those that the protocol describes`() {
        let device = TestDevice(1)
        var inner = CBORWriter()
        inner.array(5)
        inner.unsigned(1)
        inner.bytes(device.keys.signing.publicKey)
        inner.bytes(device.keys.noise.publicKey)
        inner.bytes(device.keys.seal.publicKey)
        inner.unsigned(1)
        let signature = device.keys.signing.sign(.cert, inner.bytes)
        #expect(certificate.encoded == [0x82] + inner.bytes + [0x58, 0x40] + signature)
    }

    @Test func `a certificate with any bit flipped is refused`() {
        for index in certificate.encoded.indices {
            for bit in 0..<8 {
                var bytes = certificate.encoded
                bytes[index] ^= 1 << bit
                #expect(membershipError { _ = try Certificate(decoding: bytes) } != nil)
            }
        }
    }

    @Test func `a certificate that is cut or followed by a byte is refused`() {
        for count in certificate.encoded.indices {
            let bytes = Array(certificate.encoded.prefix(count))
            #expect(membershipError { _ = try Certificate(decoding: bytes) } != nil)
        }
        #expect(throws: MembershipError.malformed(.trailingBytes)) {
            _ = try Certificate(decoding: certificate.encoded + [0])
        }
    }

    @Test func `a signature made for another purpose does not certify`() throws {
        let device = TestDevice(1)
        var reader = CBORReader(certificate.encoded)
        try reader.array(exactly: 2)
        let inner = try reader.rawItem()
        for label in Label.allCases where label != .cert {
            let forged = [0x82] + inner + [0x58, 0x40] + device.keys.signing.sign(label, inner)
            #expect(throws: MembershipError.badCertificate) {
                _ = try Certificate(decoding: forged)
            }
        }
    }

    @Test func `one key may not serve two purposes`() {
        let device = TestDevice(1)
        let twice = Certificate(
            signing: device.keys.signing, noise: device.keys.noise, seal: device.keys.noise,
            createdMilliseconds: 0)
        #expect(throws: MembershipError.badCertificate) {
            _ = try Certificate(decoding: twice.encoded)
        }
    }

    @Test func `a shared key is found whatever it serves for`() {
        let (first, second) = (TestDevice(1), TestDevice(2))
        let crossed = Certificate(
            signing: second.keys.signing, noise: first.keys.seal, seal: second.keys.seal,
            createdMilliseconds: 0)
        #expect(crossed.sharesKey(with: first.certificate))
        #expect(first.certificate.sharesKey(with: crossed))
        #expect(!first.certificate.sharesKey(with: second.certificate))
    }

    @Test func `a time before 1970 is written as its beginning`() throws {
        let device = TestDevice(1)
        let early = Certificate(
            signing: device.keys.signing, noise: device.keys.noise, seal: device.keys.seal,
            createdMilliseconds: -5)
        #expect(try Certificate(decoding: early.encoded).createdMilliseconds == 0)
    }
}
