import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct DeviceKeysTests {
    @Test func `one seed makes one device`() {
        #expect(TestDevice(3).certificate == TestDevice(3).certificate)
        #expect(TestDevice(3).device != TestDevice(4).device)
    }

    @Test func `the four secrets are independent`() {
        let keys = TestDevice(3)
        let publicKeys = [
            keys.keys.signing.publicKey, keys.keys.noise.publicKey, keys.keys.seal.publicKey,
            keys.keys.databaseKey.exposed(),
        ]
        for first in publicKeys.indices {
            for second in publicKeys.indices where first < second {
                #expect(publicKeys[first] != publicKeys[second])
            }
        }
        #expect(keys.keys.databaseKey.count == 32)
    }

    @Test func `the certificate names the public halves`() {
        let device = TestDevice(3)
        #expect(device.certificate.device.array == device.keys.signing.publicKey)
        #expect(device.certificate.noiseKey.array == device.keys.noise.publicKey)
        #expect(device.certificate.sealKey.array == device.keys.seal.publicKey)
    }
}
