import Foundation
import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

/// Live sessions against independent implementations of Noise.
struct InteropTests {
    /// The interpreter of `scripts/interop/venv`; without it nothing runs, and says so.
    static let python: String? = {
        let python = ProcessInfo.processInfo.environment["LINNET_INTEROP_PYTHON"]
        if python == nil {
            print("interop not run: LINNET_INTEROP_PYTHON is not set; ./scripts/test sets it")
        }
        return python
    }()

    @Test(
        .enabled(if: python != nil, "interop not run: LINNET_INTEROP_PYTHON is not set"),
        arguments: ["noiseprotocol", "dissononce"], ["initiator", "responder"])
    func `a hundred messages pass each way`(library: String, role: String) throws {
        try run(library, role, rekeyIntervalMessages: 0)
    }

    @Test(
        .enabled(if: python != nil, "interop not run: LINNET_INTEROP_PYTHON is not set"),
        arguments: ["initiator", "responder"], [1, 7, 50])
    func `keys are replaced in step`(role: String, interval: UInt64) throws {
        try run("noiseprotocol", role, rekeyIntervalMessages: interval)
    }

    /// Plays the other role than the Python peer's `role`.
    private func run(_ library: String, _ role: String, rekeyIntervalMessages: UInt64) throws {
        let messages = 100
        let peer = try PythonPeer(
            library: library, role: role, messages: messages, interval: rekeyIntervalMessages)
        let endpoint = Endpoint(
            role == "initiator" ? .responder(accepting: [.member]) : .initiator(.member), seed: 5,
            rekeyIntervalMessages: rekeyIntervalMessages == 0
                ? Limits.rekeyIntervalMessages : rekeyIntervalMessages)
        try peer.send(endpoint.output())
        while !endpoint.wasEstablished, let bytes = peer.receive() {
            endpoint.receive(bytes)
            try peer.send(endpoint.output())
        }
        try #require(endpoint.wasEstablished)
        for number in 0..<messages {
            try endpoint.machine.send(type: .ping, body: Array("from swift \(number)".utf8))
        }
        try peer.send(endpoint.output())
        while endpoint.messages.count <= messages, let bytes = peer.receive() {
            endpoint.receive(bytes)
        }
        let established = endpoint.events.compactMap { event -> (remote: [UInt8], hash: [UInt8])? in
            guard case .established(let remote, let hash, _) = event else { return nil }
            return (remote, hash)
        }
        #expect(established.first?.remote == PythonPeer.publicKey)
        #expect(endpoint.messages.first == [0x23] + (established.first?.hash ?? []))
        #expect(
            Array(endpoint.messages.dropFirst())
                == (0..<messages).map { [0x22] + Array("from python \($0)".utf8) })
        endpoint.machine.close(.normal)
        try peer.send(endpoint.output())
        #expect(peer.exitCode() == 0)
    }
}
