import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct SessionKeysTests {
    private let random = [UInt8](repeating: 6, count: 16)

    /// The keys of two members of one group, each with its name.
    private func pair() throws -> [(device: DeviceID, keys: SessionKeys)] {
        var entropy = Device.entropy(70)
        let founder = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        let other = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        var log = try MembershipLog.founded(by: founder, entropy: &entropy)
        let ring = KeyRing(log: log, keys: founder)
        _ = try log.insert(
            try log.makeAdd(
                other.certificate, role: .admin, ring: ring, keys: founder, entropy: &entropy))
        var (left, right) = (SessionKeys(), SessionKeys())
        left.update(log: log, ring: KeyRing(log: log, keys: founder), keys: founder)
        right.update(log: log, ring: KeyRing(log: log, keys: other), keys: other)
        return [(founder.device, left), (other.device, right)]
    }

    @Test func `the other side finds the key that a nonce names`() throws {
        let pair = try pair()
        for origin in [LinkOrigin.dialled, .dialledMember(pair[1].device)] {
            let nonce = pair[0].keys.nonce(for: origin, random: random)
            #expect(nonce.count == 16 && Array(nonce.prefix(8)) == Array(random.prefix(8)))
            let (own, theirs) = (pair[0].keys.keys(for: nonce), pair[1].keys.keys(for: nonce))
            #expect(own.count == 1 && theirs.count == 1)
            #expect(own.first?.bytes.exposed() == theirs.first?.bytes.exposed())
        }
    }

    @Test func `a nonce that names nothing leads to the newest epochs`() throws {
        let pair = try pair()
        #expect(pair[0].keys.nonce(for: .accepted, random: random) == random)
        #expect(pair[0].keys.keys(for: random).count == 1)
        #expect(SessionKeys().nonce(for: .dialled, random: random) == random)
        #expect(SessionKeys().keys(for: random).isEmpty)
    }

    @Test func `a dial of nobody in particular soon names a key of a removed device`() throws {
        var entropy = Device.entropy(70)
        let founder = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        var log = try MembershipLog.founded(by: founder, entropy: &entropy)
        let lost = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        var certificates = [lost.certificate]
        for _ in 0..<5 {
            certificates.append(
                DeviceKeys(createdMilliseconds: 1, entropy: &entropy).certificate)
        }
        for certificate in certificates {
            _ = try log.insert(
                try log.makeAdd(
                    certificate, role: .admin, ring: KeyRing(log: log, keys: founder),
                    keys: founder, entropy: &entropy))
        }
        var (left, right) = (SessionKeys(), SessionKeys())
        right.update(log: log, ring: KeyRing(log: log, keys: lost), keys: lost)
        _ = try log.insert(
            try log.makeRemoval(
                of: lost.device, reason: 0, with: [], heads: [],
                ring: KeyRing(log: log, keys: founder), keys: founder, entropy: &entropy))
        left.update(log: log, ring: KeyRing(log: log, keys: founder), keys: founder)
        // Where a tag says nothing to it, the other side tries its newest key.
        let common = try #require(right.keys(for: random).first).bytes.exposed()
        var dials = 1
        while left.keys(for: left.nonce(for: .dialled, random: random)).first?.bytes.exposed()
            != common, dials < 9
        {
            left.failed(.dialled)
            dials += 1
        }
        #expect(dials == 2)
    }

    @Test func `dials that fail come to name every key`() throws {
        var keys = try pair()[0].keys
        var nonces: [[UInt8]] = []
        for _ in 0..<8 {
            nonces.append(keys.nonce(for: .dialled, random: random))
            keys.failed(.dialled)
        }
        #expect(Set(nonces).count == 3)
        keys.succeeded(.dialled)
        #expect(keys.nonce(for: .dialled, random: random) == nonces[0])
    }
}
