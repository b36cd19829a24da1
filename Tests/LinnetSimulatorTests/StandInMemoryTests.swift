import LinnetCrypto
import LinnetSimulator
import Testing

@Suite(.serialized, .enabled(if: StandIn.isAvailable))
struct StandInMemoryTests {
    private func make(_ count: Int, standIn: Bool) -> SharedSecret {
        if standIn { StandIn.enable(key: 1) }
        defer { StandIn.disable() }
        return SharedSecret(SecretBytes(copying: [UInt8](repeating: 0xa5, count: count)))
    }

    @Test func `a secret made in one mode ends in the other`() {
        for standIn in [true, false] {
            var secrets = [0, 1, 31, 32, 33, 64, 4_096, 65_536, 65_537, 1 << 20].map {
                make($0, standIn: standIn)
            }
            if !standIn { StandIn.enable(key: 1) }
            defer { StandIn.disable() }
            for secret in secrets {
                #expect(secret.bytes.exposed().allSatisfy { $0 == 0xa5 })
            }
            secrets.removeAll()
        }
    }

    @Test func `blocks in use do not overlap and are used again`() {
        StandIn.enable(key: 1)
        defer { StandIn.disable() }
        for round in 0..<3 {
            let secrets = (0..<3_000).map { index in
                SharedSecret(
                    SecretBytes(
                        copying: [UInt8](
                            repeating: UInt8(truncatingIfNeeded: index &+ round),
                            count: index % 300)))
            }
            for (index, secret) in secrets.enumerated() {
                #expect(
                    secret.bytes.exposed().allSatisfy {
                        $0 == UInt8(truncatingIfNeeded: index &+ round)
                    })
            }
        }
    }

    @Test func `a new secret is zero even where another one was`() {
        StandIn.enable(key: 1)
        defer { StandIn.disable() }
        for _ in 0..<100 {
            _ = SecretBytes(copying: [UInt8](repeating: 0xff, count: 48))
            #expect(SecretBytes(zeroed: 48).exposed() == [UInt8](repeating: 0, count: 48))
        }
    }

    @Test func `calls are counted while the stand-in is on`() {
        let before = StandIn.calls
        _ = SecretBytes(zeroed: 8)
        #expect(StandIn.calls == before)
        StandIn.enable(key: 1)
        _ = SecretBytes(zeroed: 8)
        StandIn.disable()
        #expect(StandIn.calls == before + 3)
    }
}
