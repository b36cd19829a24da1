import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

/// What strangers and men in the middle can do before a session is open.
struct NegotiationTests {
    // Pieces of an honest run: two prefaces, three handshake messages with their length.
    @Test(arguments: [(0, 24), (1, 24), (2, 50), (3, 98), (4, 66)])
    func `no flipped bit of the handshake leads to a session`(piece: Int, count: Int) {
        for bit in 0..<count * 8 {
            let link = Link().run { number, bytes in
                number == piece ? bytes.flipped(bit) : bytes
            }
            // The initiator has seen everything it waits for when its last message is changed.
            let victims =
                piece == 4 ? [link.responder] : [link.initiator, link.responder]
            #expect(victims.allSatisfy { !$0.wasEstablished }, "piece \(piece), bit \(bit)")
            // A lengthened frame is refused at its length; only a peer that waits has not failed.
            #expect(victims.contains { $0.failure != nil })
            #expect(victims.allSatisfy { $0.failure == nil || $0.output().isEmpty })
        }
    }

    @Test func `a changed PAKE share leads to no session`() {
        for piece in 2...3 {
            for bit in 0..<34 * 8 {
                let link = Link(Endpoint(.initiator(.pairCode), seed: 1), .responder())
                link.run { number, bytes in number == piece ? bytes.flipped(bit) : bytes }
                #expect(!link.initiator.wasEstablished && !link.responder.wasEstablished)
            }
        }
    }

    @Test func `every failure before the session is silent`() {
        let preface = Preface(mode: .member, nonce: [UInt8](repeating: 5, count: 16)).bytes
        let causes: [([[UInt8]], ChannelError)] = [
            ([[UInt8](repeating: 0x16, count: 24)], .badMagic),
            ([Array("LNT1".utf8) + [2, 2, 0, 0] + preface[8...]], .version),
            ([Array("LNT1".utf8) + [1, 1, 9, 0] + preface[8...]], .mode),
            ([Array("LNT1".utf8) + [1, 1, 0, 1] + preface[8...]], .protocolViolation),
            ([preface + [0]], .protocolViolation),
            ([preface, [0, 47]], .badFrame),
            ([preface, [0, 48] + [UInt8](repeating: 0, count: 48)], .pskMismatch),
        ]
        for (pieces, error) in causes {
            let responder = Endpoint.responder()
            for (index, piece) in pieces.enumerated() {
                if index > 0 { #expect(responder.output().count == Preface.count) }
                responder.receive(piece)
            }
            #expect(responder.failure == error)
            #expect(responder.output().isEmpty)
            responder.machine.close(.protocolViolation)
            #expect(responder.output().isEmpty)
        }
    }

    @Test func `of what a stranger sent less than one handshake message is kept`() {
        let preface = Preface(mode: .member, nonce: [UInt8](repeating: 5, count: 16)).bytes
        let flood = [UInt8](repeating: 0, count: 65_536)
        let starts: [[[UInt8]]] = [
            [], [Array(preface.prefix(23))], [preface], [preface, [0]], [preface, [0, 48, 1]],
        ]
        for start in starts {
            let responder = Endpoint.responder()
            for piece in start {
                responder.receive(piece)
                #expect(responder.machine.keptByteCount <= 97)
            }
            responder.receive(flood)
            #expect(responder.failure != nil)
            #expect(responder.machine.keptByteCount == 0)
        }
        let initiator = Endpoint(.initiator(.member), seed: 1)
        initiator.receive(
            Preface(mode: .member, nonce: [UInt8](repeating: 6, count: 16)).bytes)
        initiator.receive([0, 96] + [UInt8](repeating: 1, count: 95))
        #expect(initiator.machine.keptByteCount == 97)
        #expect(initiator.failure == nil)
    }

    @Test func `closing before the session is open sends nothing`() {
        let responder = Endpoint.responder()
        responder.receive(Endpoint.initiator().output())
        responder.machine.close(.normal)
        #expect(responder.output().isEmpty && responder.machine.deadline == nil)
        let initiator = Endpoint.initiator()
        initiator.machine.close(.normal)
        #expect(initiator.output().isEmpty)
    }

    @Test(arguments: [0, 1, 15, 16, 31, 33, 47, 49, 64, 65, 95, 97, 255, 256, 65_535])
    func `a length that does not fit is refused at its two bytes`(length: Int) {
        let bytes = [UInt8(length >> 8), UInt8(length & 0xff)]
        for piece in 2...4 where length != [48, 96, 64][piece - 2] {
            let link = Link()
            link.run { number, honest in number == piece ? bytes : honest }
            let victim = piece == 3 ? link.initiator : link.responder
            #expect(victim.failure == .badFrame)
            #expect(victim.output().isEmpty)
        }
    }

    @Test func `a mode that the responder does not accept is refused`() {
        let responder = Endpoint(.responder(accepting: [.pairCode]), seed: 2)
        let link = Link(.initiator(), responder).run()
        #expect(responder.failure == .mode && link.pieces.count == 1)
    }

    @Test func `a peer that speaks before its turn is refused`() {
        let responder = Endpoint.responder()
        let initiator = Endpoint.initiator()
        responder.receive(initiator.output() + frame([UInt8](repeating: 0, count: 48)))
        #expect(responder.failure == .protocolViolation)
        #expect(responder.output().isEmpty)
    }

    @Test func `a stranger without the key learns nothing but a preface`() {
        var answers: [[UInt8]] = []
        for seed in UInt8(0)..<100 {
            let responder = Endpoint.responder(seed: seed)
            responder.receive(
                Preface(mode: .member, nonce: [UInt8](repeating: 5, count: 16)).bytes)
            let preface = responder.output()
            responder.receive(frame((0..<48).map { UInt8(truncatingIfNeeded: $0 &* Int(seed)) }))
            #expect(responder.failure == .pskMismatch && responder.output().isEmpty)
            answers.append(Array(preface.prefix(8)))
        }
        #expect(answers.allSatisfy { $0 == answers[0] })
    }

    @Test func `a wrong key stops the handshake at its first message`() {
        let link = Link(.initiator(psks: [psk(9)]), .responder(psks: [psk(1), psk(2)])).run()
        #expect(link.responder.failure == .pskMismatch && link.pieces.count == 3)
        #expect(!link.initiator.wasEstablished)
        let none = Endpoint.responder(psks: [])
        none.receive(Endpoint.initiator().output())
        #expect(none.failure == .pskMismatch && none.output().isEmpty)
    }

    @Test func `a recorded first message opens nothing anywhere else`() {
        let recorded = Link().run().pieces
        for seed in UInt8(2)..<6 {
            // The same member again, whose nonce and ephemeral key are fresh, and other members.
            let member = Endpoint.responder(seed: seed == 2 ? 77 : seed)
            member.receive(recorded[0])
            _ = member.output()
            member.receive(recorded[2])
            #expect(member.failure == .pskMismatch && member.output().isEmpty)
            member.receive(recorded[4])
            #expect(!member.wasEstablished)
        }
    }

    @Test func `a version taken away on the way makes the handshake fail`() {
        func run(_ change: (Int, [UInt8]) -> [UInt8]) -> Link {
            Link(
                Endpoint(.initiator(.member), seed: 1, versions: 1...2),
                Endpoint(.responder(accepting: [.member]), seed: 2, versions: 1...2)
            ).run(change)
        }
        #expect(run { $1 }.responder.wasEstablished)
        for pieces in [[0], [1], [0, 1]] {
            let link = run { number, bytes in
                var bytes = bytes
                if pieces.contains(number) { bytes[5] = 1 }
                return bytes
            }
            #expect(!link.initiator.wasEstablished && !link.responder.wasEstablished)
            #expect(link.responder.failure == .pskMismatch)
        }
    }

    @Test func `a peer that sends our own bytes back is refused`() {
        let initiator = Endpoint.initiator()
        initiator.receive(initiator.output())
        #expect(initiator.failure == .protocolViolation)
    }

    @Test func `each piece and the whole have their time`() {
        let responder = Endpoint.responder()
        let piece = Limits.handshakeMessageMilliseconds
        #expect(responder.machine.deadline == piece)
        #expect(responder.machine.checkDeadline(at: moment(piece - 1)).isEmpty)
        responder.uptimeMilliseconds = 1_500
        let link = Link(.initiator(), responder)
        responder.receive(link.initiator.output())
        #expect(responder.machine.deadline == 1_500 + piece)
        link.initiator.receive(responder.output())
        responder.uptimeMilliseconds = 3_400
        responder.receive(link.initiator.output())
        let whole = Limits.handshakeMilliseconds
        #expect(responder.machine.deadline == whole)
        #expect(responder.machine.checkDeadline(at: moment(whole - 1)).isEmpty)
        #expect(responder.machine.checkDeadline(at: moment(whole)) == [.failed(.timeout)])
        #expect(responder.output().isEmpty && responder.machine.deadline == nil)
    }

    @Test func `bytes that trickle in do not extend the time`() {
        let responder = Endpoint.responder()
        let preface = Endpoint.initiator().output()
        for (index, byte) in preface.enumerated() {
            responder.uptimeMilliseconds = Int64(index) * 100
            responder.receive([byte])
        }
        #expect(responder.failure == .timeout)
        #expect(responder.events == [.failed(.timeout)])
        let open = Link().run()
        #expect(open.responder.machine.deadline == nil)
        #expect(open.responder.machine.checkDeadline(at: moment(1_000_000)).isEmpty)
    }
}
