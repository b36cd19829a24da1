import LinnetCrypto
import Testing

struct SodiumTests {
    @Test func `many threads may use the library first at the same time`() async {
        // A process of its own, in which nothing has touched the library before.
        await #expect(processExitsWith: .success) {
            let hashes = await withTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        let key = SigningKey(seed: SecretBytes(copying: Array(0..<32)))
                        return Hash.blake2b(.batch, key.sign(.batch, [1, 2, 3]))
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(hashes.count == 64)
            #expect(hashes.allSatisfy { $0 == hashes[0] })
        }
    }

    @Test func `each entry point may be the first to touch the library`() async {
        await #expect(processExitsWith: .success) { _ = SystemEntropy.seed() }
        await #expect(processExitsWith: .success) { _ = Hash.sha512([1]) }
        await #expect(processExitsWith: .success) { _ = Hash.blake2b(nil, [1]) }
        await #expect(processExitsWith: .success) { _ = constantTimeEquals([1], [1]) }
        await #expect(processExitsWith: .success) {
            _ = SigningKey.isValid(
                [UInt8](repeating: 1, count: 64), .batch, [], publicKey: Array(0..<32))
        }
    }
}
