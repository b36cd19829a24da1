import Foundation
import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

/// One test vector of the files in `Vectors`.
struct NoiseVector: Decodable {
    struct Message: Decodable {
        let payload: String
        let ciphertext: String
    }

    private struct File: Decodable {
        let vectors: [NoiseVector]
    }

    private enum CodingKeys: String, CodingKey {
        case protocolName = "protocol_name"
        case name
        case initiatorPrologue = "init_prologue"
        case initiatorStatic = "init_static"
        case initiatorEphemeral = "init_ephemeral"
        case initiatorRemoteStatic = "init_remote_static"
        case initiatorPSKs = "init_psks"
        case responderPrologue = "resp_prologue"
        case responderStatic = "resp_static"
        case responderEphemeral = "resp_ephemeral"
        case responderRemoteStatic = "resp_remote_static"
        case responderPSKs = "resp_psks"
        case handshakeHash = "handshake_hash"
        case messages
    }

    let protocolName: String?
    let name: String?
    let initiatorPrologue: String
    let initiatorStatic: String?
    let initiatorEphemeral: String?
    let initiatorRemoteStatic: String?
    let initiatorPSKs: [String]?
    let responderPrologue: String
    let responderStatic: String?
    let responderEphemeral: String?
    let responderRemoteStatic: String?
    let responderPSKs: [String]?
    let handshakeHash: String?
    let messages: [Message]

    /// All vectors of a file, in order.
    static func load(_ file: String) throws -> [NoiseVector] {
        let url = try #require(
            Bundle.module.url(forResource: file, withExtension: "json", subdirectory: "Vectors"))
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).vectors
    }

    /// The pattern's name with its modifiers.
    var patternName: String {
        String((protocolName ?? name ?? "").split(separator: "_").dropFirst().first ?? "")
    }

    /// Initiates the handshake of `pattern` with the vector's keys.
    func initiator(_ pattern: HandshakePattern) throws -> HandshakeState {
        HandshakeState(
            pattern: pattern, role: .initiator, prologue: try bytes(initiatorPrologue),
            keys: HandshakeKeys(
                staticKey: try key(initiatorStatic), ephemeralKey: try key(initiatorEphemeral),
                remoteStatic: try initiatorRemoteStatic.map(bytes),
                psks: try secrets(initiatorPSKs)))
    }

    /// Answers the handshake of `pattern` with the vector's keys.
    func responder(_ pattern: HandshakePattern) throws -> HandshakeState {
        HandshakeState(
            pattern: pattern, role: .responder, prologue: try bytes(responderPrologue),
            keys: HandshakeKeys(
                staticKey: try key(responderStatic), ephemeralKey: try key(responderEphemeral),
                remoteStatic: try responderRemoteStatic.map(bytes),
                psks: try secrets(responderPSKs)))
    }

    private func key(_ text: String?) throws -> AgreementKey? {
        guard let text else { return nil }
        return AgreementKey(secret: SecretBytes(copying: try bytes(text)))
    }

    private func secrets(_ texts: [String]?) throws -> [SharedSecret] {
        try (texts ?? []).map { SharedSecret(SecretBytes(copying: try bytes($0))) }
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        try #require(Hex.decode(text))
    }
}
