import Foundation
import LinnetCrypto
import LinnetSimulator
import Testing

@Suite(.serialized, .enabled(if: StandIn.isAvailable))
struct StandInTests {
    private static func on<R>(_ key: UInt64 = 1, _ body: () throws -> R) rethrows -> R {
        StandIn.enable(key: key)
        defer { StandIn.disable() }
        return try body()
    }

    private static func counting(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }

    private static func secret(_ count: Int, _ first: UInt8 = 0) -> SecretBytes {
        SecretBytes(copying: counting(count).map { $0 &+ first })
    }

    /// Every way to change one byte.
    private static func forgeries(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.flatMap { index in
            [1, 0x80].map { (bit: UInt8) in
                var forged = bytes
                forged[index] ^= bit
                return forged
            }
        }
    }

    @Test func `off, libsodium answers bit for bit`() {
        let calls = StandIn.calls
        let real = Hash.blake2b(nil, Array("abc".utf8), count: 32)
        // RFC 7693's function with 32 bytes of output: Python's hashlib.
        #expect(real.prefix(4) == [0xbd, 0xdd, 0x81, 0x3c])
        #expect(StandIn.calls == calls)
        let other = Self.on { Hash.blake2b(nil, Array("abc".utf8), count: 32) }
        #expect(other.count == 32)
        #expect(other != real)
        #expect(StandIn.calls >= calls + 3)
        #expect(Hash.blake2b(nil, Array("abc".utf8), count: 32) == real)
        #expect(Hash.sha512(Array("abc".utf8)).prefix(4) == [0xdd, 0xaf, 0x35, 0xa1])
    }

    @Test func `another thread keeps libsodium`() {
        let real = Hash.sha512([1, 2, 3])
        let done = DispatchSemaphore(value: 0)
        let seen = Mailbox()
        Self.on {
            let thread = Thread {
                seen.bytes = Hash.sha512([1, 2, 3])
                done.signal()
            }
            thread.start()
            done.wait()
            #expect(Hash.sha512([1, 2, 3]) != real)
        }
        #expect(seen.bytes == real)
    }

    @Test func `a hash depends on key, length, bytes and thread key, not on how it is fed`() {
        let bytes = Self.counting(200)
        for split in [0, 1, 31, 32, 33, 64, 100, 199, 200] {
            Self.on {
                var hasher = BLAKE2bHasher(count: 48)
                hasher.update(Array(bytes[..<split]))
                hasher.update(Array(bytes[split...]))
                #expect(hasher.finish() == Hash.blake2b(nil, bytes, count: 48))
                #expect(
                    Hash.sha512(Array(bytes[..<split]), Array(bytes[split...]))
                        == Hash.sha512(bytes))
            }
        }
        var distinct: Set<[UInt8]> = []
        for key in [1, 2] as [UInt64] {
            Self.on(key) {
                for count in [16, 24, 32, 64] {
                    distinct.insert(Array(Hash.blake2b(nil, bytes, count: count).prefix(16)))
                }
                for secret in [0, 1] as [UInt8] {
                    let key = Self.secret(32, secret)
                    distinct.insert(Array(Hash.keyed(by: key, nil, bytes).prefix(16)))
                }
                for count in 0..<100 {
                    distinct.insert(
                        Array(Hash.sha512([UInt8](repeating: 0, count: count)).prefix(16)))
                }
            }
        }
        #expect(distinct.count == 2 * 106)
    }

    @Test func `a hundred thousand inputs have as many hashes`() {
        var seen: Set<[UInt8]> = []
        Self.on {
            for number in 0..<100_000 {
                var bytes = [UInt8](repeating: 0, count: 40)
                for index in 0..<4 {
                    bytes[index * 9] = UInt8(truncatingIfNeeded: number >> (8 * index))
                }
                seen.insert(Array(Hash.blake2b(.batchID, bytes).prefix(8)))
            }
        }
        #expect(seen.count == 100_000)
    }

    @Test func `both ciphers open what they sealed and nothing else`() throws {
        try Self.on { () throws in
            let key = Self.secret(32)
            for count in [0, 1, 7, 8, 9, 31, 32, 33, 500] {
                let plain = Self.counting(count)
                let box = XChaCha.seal(
                    key: key, nonce: Self.counting(24), plaintext: plain, associatedData: [9])
                #expect(box.count == count + XChaCha.tagBytes)
                #expect(count < 8 || Array(box.prefix(count)) != plain)
                #expect(
                    try XChaCha.open(
                        key: key, nonce: Self.counting(24), ciphertext: box, associatedData: [9])
                        == plain)
                let nonce = try #require(ChaChaPoly.Nonce(Self.counting(12)))
                let short = ChaChaPoly.seal(
                    key: key, nonce: nonce, plaintext: plain, associatedData: [])
                #expect(short.count == count + ChaChaPoly.tagBytes)
                #expect(
                    try ChaChaPoly.open(
                        key: key, nonce: nonce, ciphertext: short, associatedData: [])
                        == plain)
            }
        }
    }

    @Test func `a change to any part of a sealed message is noticed`() {
        Self.on {
            let (nonce, data) = (Self.counting(24), Self.counting(40))
            let box = XChaCha.seal(
                key: Self.secret(32), nonce: nonce, plaintext: Self.counting(70),
                associatedData: data)
            func opens(
                _ box: [UInt8], nonce: [UInt8], data: [UInt8], key: [UInt8]
            ) -> Bool {
                let key = SecretBytes(copying: key)
                return
                    (try? XChaCha.open(
                        key: key, nonce: nonce, ciphertext: box, associatedData: data)) != nil
            }
            let key = Self.counting(32)
            #expect(opens(box, nonce: nonce, data: data, key: key))
            for forged in Self.forgeries(box) {
                #expect(!opens(forged, nonce: nonce, data: data, key: key))
            }
            for forged in Self.forgeries(nonce) {
                #expect(!opens(box, nonce: forged, data: data, key: key))
            }
            for forged in Self.forgeries(data) + [data + [0], Array(data.dropLast())] {
                #expect(!opens(box, nonce: nonce, data: forged, key: key))
            }
            for forged in Self.forgeries(key) {
                #expect(!opens(box, nonce: nonce, data: data, key: forged))
            }
            #expect(!opens(Array(box.dropLast()), nonce: nonce, data: data, key: key))
        }
    }

    @Test func `agreement commutes and refuses keys of low order`() throws {
        try Self.on { () throws in
            for first in 0..<50 as Range<UInt8> {
                let ours = AgreementKey(secret: Self.secret(32, first))
                let theirs = AgreementKey(secret: Self.secret(32, first &+ 100))
                let shared = try ours.agree(with: theirs.publicKey).exposed()
                #expect(try theirs.agree(with: ours.publicKey).exposed() == shared)
                #expect(shared.count == 32 && shared != ours.publicKey)
                let third = AgreementKey(secret: Self.secret(32, first &+ 51))
                #expect(try third.agree(with: ours.publicKey).exposed() != shared)
            }
            let zero = AgreementKey(secret: SecretBytes(zeroed: 32))
            #expect(zero.publicKey.contains { $0 != 0 })
            let top: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0xff]
            for point in [[UInt8](repeating: 0, count: 32), top] {
                #expect(throws: CryptoError.badKey) { _ = try zero.agree(with: point) }
            }
        }
    }

    @Test func `the group commutes, and refuses what is no element or gives the identity`() throws {
        try Self.on { () throws in
            let base = Ristretto.element(from: Self.secret(64))
            #expect(base != Ristretto.element(from: Self.secret(64, 1)))
            let a = Ristretto.scalar(reducing: Self.secret(64, 3))
            let b = Ristretto.scalar(reducing: Self.secret(64, 77))
            let ours = try Ristretto.multiply(a, base).exposed()
            let theirs = try Ristretto.multiply(b, base).exposed()
            #expect(
                try Ristretto.multiply(a, theirs).exposed()
                    == Ristretto.multiply(b, ours).exposed())
            let nothing = Ristretto.scalar(reducing: SecretBytes(zeroed: 64))
            #expect(throws: CryptoError.badKey) { _ = try Ristretto.multiply(nothing, base) }
            for byte in [0, 0xff] as [UInt8] {
                let point = [UInt8](repeating: byte, count: 32)
                #expect(throws: CryptoError.badKey) { _ = try Ristretto.multiply(a, point) }
            }
        }
    }

    @Test func `what is sealed to a key opens with it and not when changed`() throws {
        try Self.on { () throws in
            let pair = AgreementKey(secret: Self.secret(32))
            for count in [0, 1, 32, 100] {
                let box = try SealedBox.seal(
                    Self.secret(count), to: pair.publicKey, ephemeral: Self.secret(32, 9))
                #expect(box.count == count + SealedBox.overheadBytes)
                #expect(try SealedBox.open(box, with: pair).exposed() == Self.counting(count))
                for forged in Self.forgeries(box) {
                    #expect(throws: CryptoError.badTag) {
                        _ = try SealedBox.open(forged, with: pair)
                    }
                }
                let stranger = AgreementKey(secret: Self.secret(32, 1))
                #expect(throws: CryptoError.badTag) { _ = try SealedBox.open(box, with: stranger) }
            }
            let zero = [UInt8](repeating: 0, count: 32)
            #expect(throws: CryptoError.badKey) {
                _ = try SealedBox.seal(Self.secret(1), to: zero, ephemeral: Self.secret(32))
            }
        }
    }

    @Test func `a signature holds for its message, key, bytes and thread key only`() {
        let message = Self.counting(50)
        let (signature, publicKey) = Self.on {
            let key = SigningKey(seed: Self.secret(32))
            let signature = key.sign(.batch, message)
            let publicKey = key.publicKey
            #expect(SigningKey.isValid(signature, .batch, message, publicKey: publicKey))
            #expect(!SigningKey.isValid(signature, .member, message, publicKey: publicKey))
            for forged in Self.forgeries(signature) {
                #expect(!SigningKey.isValid(forged, .batch, message, publicKey: publicKey))
            }
            for forged in Self.forgeries(message) + [message + [0]] {
                #expect(!SigningKey.isValid(signature, .batch, forged, publicKey: publicKey))
            }
            for forged in Self.forgeries(publicKey) + [[UInt8](repeating: 0, count: 32)] {
                #expect(!SigningKey.isValid(signature, .batch, message, publicKey: forged))
            }
            return (signature, publicKey)
        }
        #expect(signature.count == 64 && publicKey.count == 32)
        Self.on(2) {
            #expect(!SigningKey.isValid(signature, .batch, message, publicKey: publicKey))
        }
        #expect(!SigningKey.isValid(signature, .batch, message, publicKey: publicKey))
    }

    @Test func `chained keys and drawn bytes follow their seeds`() {
        func draw(_ input: UInt8) -> [UInt8] {
            var outputs = SecretBytes(joining: Self.secret(64), SecretBytes(zeroed: 128))
            HKDF.advance(&outputs, input: [input])
            var entropy = Entropy(seed: outputs.slice(64..<96))
            return outputs.slice(0..<64).exposed() + outputs.slice(128..<192).exposed()
                + entropy.bytes(2_000)
        }
        let (first, again, other) = Self.on { (draw(1), draw(1), draw(2)) }
        #expect(first == again)
        #expect(first != other)
        #expect(Self.on(2) { draw(1) } != first)
        #expect(draw(1) != first)
        let drawn = first.suffix(2_000)
        #expect(
            Set(stride(from: 0, to: 1_992, by: 8).map { Array(drawn.dropFirst($0).prefix(8)) })
                .count == 249)
    }
}

/// What another thread left for this one, which waits for it.
private final class Mailbox: @unchecked Sendable {
    var bytes: [UInt8] = []
}
