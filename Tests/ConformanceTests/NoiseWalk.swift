import LinnetCrypto
import LinnetWire

/// The handshake step by step, from the Noise specification and the hashes alone: it shares no line
/// with the product's channel, and what it writes must be what went over the link.
struct NoiseWalk {
    struct Side {
        let ephemeral: [UInt8]
        let fixed: [UInt8]

        func agree(_ secret: KeyPath<Side, [UInt8]>, with publicKey: [UInt8]) throws -> [UInt8] {
            try key(secret).agree(with: publicKey).exposed()
        }

        func publicKey(_ secret: KeyPath<Side, [UInt8]>) -> [UInt8] { key(secret).publicKey }

        private func key(_ secret: KeyPath<Side, [UInt8]>) -> AgreementKey {
            AgreementKey(secret: SecretBytes(copying: self[keyPath: secret]))
        }
    }

    private(set) var chaining: [UInt8]
    private(set) var hash: [UInt8]
    private var key: [UInt8] = []
    private var counter: UInt64 = 0
    private(set) var steps: [JSON] = []
    private(set) var messages: [[UInt8]] = []
    /// The keys of the two directions, the initiator's first.
    private(set) var transport: ([UInt8], [UInt8]) = ([], [])

    init(initiator: Side, responder: Side, psk: [UInt8], prologue: [UInt8]) throws {
        let name = Array("Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b".utf8)
        hash = name + [UInt8](repeating: 0, count: 64 - name.count)
        chaining = hash
        mix(prologue)
        note("prologue")
        mixKeyAndHash(psk)
        note("1 psk")
        var message = send(initiator.publicKey(\.ephemeral), "1 e")
        messages.append(message + seal([], "1 payload"))
        message = send(responder.publicKey(\.ephemeral), "2 e")
        mixKey(
            try initiator.agree(\.ephemeral, with: responder.publicKey(\.ephemeral)), "2 ee")
        message += seal(responder.publicKey(\.fixed), "2 s")
        mixKey(try initiator.agree(\.ephemeral, with: responder.publicKey(\.fixed)), "2 es")
        messages.append(message + seal([], "2 payload"))
        message = seal(initiator.publicKey(\.fixed), "3 s")
        mixKey(try initiator.agree(\.fixed, with: responder.publicKey(\.ephemeral)), "3 se")
        messages.append(message + seal([], "3 payload"))
        let outputs = NoiseWalk.derive(chaining, [])
        transport = (Array(outputs[0].prefix(32)), Array(outputs[1].prefix(32)))
    }

    /// Opens a transport frame: its number counts the frames of the direction from 0.
    static func open(_ ciphertext: [UInt8], key: [UInt8], number: UInt64) throws -> [UInt8] {
        try ChaChaPoly.open(
            key: SecretBytes(copying: key), nonce: nonce(number), ciphertext: ciphertext,
            associatedData: [])
    }

    private static func nonce(_ number: UInt64) -> ChaChaPoly.Nonce {
        guard let nonce = ChaChaPoly.Nonce([0, 0, 0, 0] + number.bytesLowestFirst) else {
            preconditionFailure("four and eight bytes are twelve")
        }
        return nonce
    }

    private mutating func note(_ step: String) {
        steps.append([
            "step": .text(step), "ck": .hex(chaining), "h": .hex(hash), "k": .hex(key),
        ])
    }

    private mutating func mix(_ data: [UInt8]) {
        hash = Hash.blake2b(nil, hash, data, count: 64)
    }

    private mutating func send(_ publicKey: [UInt8], _ step: String) -> [UInt8] {
        mix(publicKey)
        mixKey(publicKey, step)
        return publicKey
    }

    private mutating func mixKey(_ input: [UInt8], _ step: String) {
        let outputs = NoiseWalk.derive(chaining, input)
        chaining = outputs[0]
        key = Array(outputs[1].prefix(32))
        counter = 0
        note(step)
    }

    private mutating func mixKeyAndHash(_ input: [UInt8]) {
        let outputs = NoiseWalk.derive(chaining, input)
        chaining = outputs[0]
        mix(outputs[1])
        key = Array(outputs[2].prefix(32))
        counter = 0
    }

    private mutating func seal(_ plaintext: [UInt8], _ step: String) -> [UInt8] {
        let ciphertext = ChaChaPoly.seal(
            key: SecretBytes(copying: key), nonce: NoiseWalk.nonce(counter), plaintext: plaintext,
            associatedData: hash)
        counter += 1
        mix(ciphertext)
        note(step)
        return ciphertext
    }

    /// HKDF of section 4.3, over HMAC with BLAKE2b and blocks of 128 bytes.
    private static func derive(_ key: [UInt8], _ input: [UInt8]) -> [[UInt8]] {
        let extracted = hmac(key, input)
        let first = hmac(extracted, [1])
        let second = hmac(extracted, first + [2])
        return [first, second, hmac(extracted, second + [3])]
    }

    private static func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        let block = key + [UInt8](repeating: 0, count: 128 - key.count)
        let inner = Hash.blake2b(nil, block.map { $0 ^ 0x36 }, message, count: 64)
        return Hash.blake2b(nil, block.map { $0 ^ 0x5c }, inner, count: 64)
    }
}

extension UInt64 {
    fileprivate var bytesLowestFirst: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) }
    }
}
