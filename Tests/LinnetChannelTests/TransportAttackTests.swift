import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

/// What can be done to an open session, from outside and by a peer that keeps to no rule.
struct TransportAttackTests {
    @Test func `after one flipped bit not even valid frames are read`() throws {
        let probe = Link().run()
        try probe.initiator.machine.send(type: .ping, body: [1, 2, 3])
        let count = probe.initiator.output().count
        for bit in 0..<count * 8 {
            let link = Link().run()
            try link.initiator.machine.send(type: .ping, body: [1, 2, 3])
            let first = link.initiator.output().flipped(bit)
            try link.initiator.machine.send(type: .ping, body: [4])
            let second = link.initiator.output()
            link.responder.receive(first)
            link.responder.receive(second)
            // A longer length makes the reader wait; what it waits for does not authenticate.
            link.responder.receive([UInt8](repeating: 0, count: 65_535))
            #expect(link.responder.messages.isEmpty, "bit \(bit)")
            #expect(link.responder.failure == .badTag || link.responder.failure == .badFrame)
            #expect(link.responder.output().isEmpty)
        }
    }

    @Test func `frames cannot be swapped, dropped or doubled`() throws {
        let orders = [[1, 0], [0, 2], [0, 0], [2], [0, 1, 0], [0, 1, 1]]
        for order in orders {
            let link = Link().run()
            var frames: [[UInt8]] = []
            for number in UInt8(0)..<3 {
                try link.initiator.machine.send(type: .ping, body: [number])
                frames.append(link.initiator.output())
            }
            for place in order { link.responder.receive(frames[place]) }
            #expect(link.responder.failure == .badTag)
            #expect(link.responder.messages.count < order.count)
            for frame in frames { link.responder.receive(frame) }
            #expect(link.responder.messages.count < order.count)
        }
    }

    @Test func `one direction's frames are not accepted in the other, nor in another session`()
        throws
    {
        let link = Link().run()
        try link.initiator.machine.send(type: .ping, body: [1])
        let frame = link.initiator.output()
        link.initiator.receive(frame)
        #expect(link.initiator.failure == .badTag)
        let other = Link(.initiator(seed: 8), .responder(seed: 9)).run()
        other.responder.receive(frame)
        #expect(other.responder.failure == .badTag)
    }

    @Test(arguments: [0, 1, 15]) func `a frame without room for a tag is refused`(length: UInt8) {
        let link = Link().run()
        link.responder.receive([0, length])
        #expect(link.responder.failure == .badFrame)
    }

    @Test func `a peer that breaks the rules of fragments is cut off`() throws {
        let full = [UInt8](repeating: 0, count: Limits.fragmentBytes - 2)
        let attacks: [[[UInt8]]] = [
            [[]], [[0]], [[2, 0x22]], [[0x80, 0x22]],
            [[1, 0x22, 1], [0, 0x23, 2]],
            [[UInt8]](repeating: [1, 0x22], count: 18),
            [[UInt8]](repeating: [1, 0x22] + full, count: 17),
        ]
        for attack in attacks {
            let responder = Endpoint.responder()
            var peer = try RawPeer.open(towards: responder)
            #expect(responder.wasEstablished)
            for plaintext in attack { responder.receive(try peer.seal(plaintext: plaintext)) }
            #expect(responder.failure == .protocolViolation)
            #expect(responder.messages.isEmpty && responder.output().isEmpty)
        }
    }

    @Test func `a CLOSE of another form is a violation`() throws {
        for body in [[], [0], [0, 0, 0]] as [[UInt8]] {
            let responder = Endpoint.responder()
            var peer = try RawPeer.open(towards: responder)
            responder.receive(try peer.seal(plaintext: [0, 0x7f] + body))
            #expect(responder.failure == .protocolViolation)
        }
        let responder = Endpoint.responder()
        var peer = try RawPeer.open(towards: responder)
        responder.receive(try peer.seal(plaintext: [0, 0x7f, 0xab, 0xcd]))
        #expect(responder.events.last == .closed(code: 0xabcd))
    }

    @Test func `types that this version does not know are told, not judged`() throws {
        let responder = Endpoint.responder()
        var peer = try RawPeer.open(towards: responder)
        for type in UInt8.min...UInt8.max where type != 0x7f {
            responder.receive(try peer.seal(plaintext: [0, type, 7]))
        }
        #expect(responder.messages.count == 255)
        #expect(responder.failure == nil)
    }
}
