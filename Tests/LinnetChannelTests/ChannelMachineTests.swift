import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

struct ChannelMachineTests {
    @Test(arguments: ChannelMode.allCases)
    func `both sides see the same session in every mode`(mode: ChannelMode) throws {
        let link = Link(Endpoint(.initiator(mode), seed: 1), .responder()).run()
        guard case .established(let seenByInitiator, let hash, 0) = link.initiator.events.last,
            case .established(let seenByResponder, hash, 0) = link.responder.events.last
        else {
            Issue.record("not established: \(link.initiator.events) \(link.responder.events)")
            return
        }
        #expect(seenByInitiator == link.responder.staticPublicKey)
        #expect(seenByResponder == link.initiator.staticPublicKey)
        #expect(hash.count == 64)
        let pake = mode == .pairCode ? [34, 34] : []
        #expect(link.pieces.map(\.count) == [24, 24] + pake + [50, 98, 66])
        #expect(link.initiator.machine.isOpen && link.responder.machine.isOpen)
    }

    @Test func `messages pass in both directions and in order`() throws {
        let link = Link().run()
        for number in UInt8(0)..<20 {
            try link.initiator.machine.send(type: .ping, body: [number])
            try link.responder.machine.send(type: .pong, body: [number, number])
        }
        link.run()
        #expect(link.responder.messages == (0..<20).map { [0x22, $0] })
        #expect(link.initiator.messages == (0..<20).map { [0x23, $0, $0] })
    }

    @Test(arguments: [0, 1, 65_516, 65_517, 65_518, 131_034, 131_035, 1 << 20])
    func `a message of any legal size arrives whole`(count: Int) throws {
        let link = Link().run()
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try link.initiator.machine.send(type: .batch, body: body)
        link.run()
        #expect(link.responder.messages == [[0x13] + body])
    }

    @Test func `a message above the limit is refused and nothing is queued`() throws {
        let link = Link().run()
        #expect(throws: ChannelError.tooLarge) {
            try link.initiator.machine.send(
                type: .batch, body: [UInt8](repeating: 0, count: 1 << 20 + 1))
        }
        #expect(link.initiator.output().isEmpty)
        try link.initiator.machine.send(type: .ping, body: [])
        link.run()
        #expect(link.responder.messages == [[0x22]])
    }

    @Test func `the responder reports which of its keys the initiator holds`() {
        let link = Link(.initiator(psks: [psk(4)]), .responder(psks: (1...6).map(psk))).run()
        guard case .established(_, _, let index) = link.responder.events.last else {
            Issue.record("not established")
            return
        }
        #expect(index == 3)
    }

    @Test func `no more than 32 keys are tried`() {
        let most = UInt8(Limits.pskTrials)
        let keys = (1...most + 1).map(psk)
        let last = Link(.initiator(psks: [psk(most)]), .responder(psks: keys)).run()
        #expect(last.responder.wasEstablished)
        let link = Link(.initiator(psks: [psk(most + 1)]), .responder(psks: keys)).run()
        #expect(link.responder.failure == .pskMismatch)
    }

    @Test func `bytes may come one at a time`() throws {
        let whole = Link(Endpoint(.initiator(.pairCode), seed: 1), .responder())
        let drip = Link(Endpoint(.initiator(.pairCode), seed: 1), .responder())
        whole.run()
        var idle = 0
        while idle < 2 {
            let (first, second) = (drip.initiator.output(), drip.responder.output())
            for byte in first { drip.responder.receive([byte]) }
            for byte in second { drip.initiator.receive([byte]) }
            idle = first.isEmpty && second.isEmpty ? idle + 1 : 0
        }
        #expect(drip.initiator.events == whole.initiator.events)
        #expect(drip.responder.events == whole.responder.events)
        for endpoint in [whole.initiator, drip.initiator] {
            try endpoint.machine.send(type: .have, body: [1, 2])
            try endpoint.machine.send(type: .need, body: [3])
            endpoint.machine.close(.normal)
        }
        whole.run()
        for byte in drip.initiator.output() { drip.responder.receive([byte]) }
        #expect(drip.responder.events == whole.responder.events)
        #expect(drip.responder.events.last == .closed(code: 0))
    }

    @Test func `what was valid before a bad frame is told, however the bytes are cut`() throws {
        func events(_ cut: Int) throws -> [ChannelEvent] {
            let link = Link().run()
            try link.initiator.machine.send(type: .ping, body: [1])
            var bytes = link.initiator.output() + frame([UInt8](repeating: 0, count: 20))
            try link.initiator.machine.send(type: .ping, body: [2])
            bytes += link.initiator.output()
            for start in stride(from: 0, to: bytes.count, by: cut) {
                link.responder.receive(Array(bytes[start..<min(start + cut, bytes.count)]))
            }
            return Array(link.responder.events.suffix(2))
        }
        for cut in [1, 2, 7, 1_000] {
            #expect(
                try events(cut) == [.message(type: 0x22, body: [1]), .failed(.badTag)])
        }
    }

    @Test func `keys are replaced in step at a lowered interval`() throws {
        let link = Link(
            Endpoint(.initiator(.member), seed: 1, rekeyIntervalMessages: 3),
            Endpoint(.responder(accepting: [.member]), seed: 2, rekeyIntervalMessages: 3)
        ).run()
        for number in UInt8(0)..<50 {
            try link.initiator.machine.send(type: .ping, body: [number])
            if number.isMultiple(of: 2) {
                try link.responder.machine.send(type: .pong, body: [number])
            }
            link.run()
        }
        #expect(link.responder.messages.count == 50 && link.initiator.messages.count == 25)
        let apart = Link(
            Endpoint(.initiator(.member), seed: 1, rekeyIntervalMessages: 3),
            Endpoint(.responder(accepting: [.member]), seed: 2, rekeyIntervalMessages: 4)
        ).run()
        for number in UInt8(0)..<4 {
            try apart.initiator.machine.send(type: .ping, body: [number])
            apart.run()
        }
        #expect(apart.responder.messages.count == 3 && apart.responder.failure == .badTag)
    }

    @Test func `short messages leave in one frame, and a batch ends it`() throws {
        let link = Link().run()
        for type in [MessageType.hello, .have, .batch, .ack, .close] {
            try link.initiator.machine.send(type: type, body: [type.rawValue, 0])
        }
        let bytes = link.initiator.output()
        // The length, the tag, and before all but the last message of a frame its own length.
        #expect(bytes.count == (2 + 16 + 3 * 4 + 2) + (2 + 16 + 2 * 4 + 1))
        link.responder.receive(bytes)
        let types = [MessageType.hello, .have, .batch, .ack].map(\.rawValue)
        #expect(link.responder.messages.map { $0.first } == types)
        #expect(link.responder.events.last == .closed(code: 0x7f00))
    }

    @Test(arguments: CloseCode.allCases)
    func `an authenticated CLOSE ends the session on both sides`(code: CloseCode) {
        let link = Link().run()
        link.initiator.machine.close(code)
        link.run()
        #expect(link.responder.events.last == .closed(code: code.rawValue))
        for endpoint in [link.initiator, link.responder] {
            #expect(!endpoint.machine.isOpen && endpoint.machine.deadline == nil)
            #expect(endpoint.machine.receiveEnd().isEmpty)
            #expect(throws: ChannelError.notEstablished) {
                try endpoint.machine.send(type: .ping, body: [])
            }
            endpoint.machine.close(.normal)
            #expect(endpoint.output().isEmpty)
        }
    }

    @Test func `what comes after CLOSE is not read`() throws {
        let link = Link().run()
        try link.responder.machine.send(type: .ping, body: [1])
        link.initiator.machine.close(.shutdown)
        link.run()
        #expect(link.initiator.messages.isEmpty)
        link.responder.receive(frame([UInt8](repeating: 0, count: 40)))
        #expect(link.responder.events.last == .closed(code: 6))
    }

    @Test func `the end of the stream without CLOSE is a truncation`() {
        let link = Link().run()
        #expect(link.responder.machine.receiveEnd() == [.failed(.truncated)])
        #expect(link.responder.machine.receiveEnd().isEmpty)
        for count in [0, 10, 24] {
            let responder = Endpoint.responder()
            responder.receive(Array(Endpoint.initiator().output().prefix(count)))
            #expect(responder.machine.receiveEnd() == [.failed(.truncated)])
        }
    }

    @Test func `messages cannot be sent before the session is open`() {
        let initiator = Endpoint.initiator()
        #expect(throws: ChannelError.notEstablished) {
            try initiator.machine.send(type: .ping, body: [])
        }
        #expect(initiator.output().count == Preface.count)
    }

    @Test func `an owner that speaks out of turn is stopped`() async {
        await #expect(processExitsWith: .failure) {
            let link = Link().run()
            link.initiator.machine.sendPake([UInt8](repeating: 0, count: 32))
            let early = Endpoint.initiator()
            early.machine.sendPake([UInt8](repeating: 0, count: 32))
        }
        await #expect(processExitsWith: .failure) {
            _ = Endpoint.initiator().machine.provide(psks: [psk(1)])
        }
        await #expect(processExitsWith: .failure) {
            let responder = Endpoint(.responder(accepting: []), seed: 1)
            _ = responder.machine.receive([], at: moment(0))
            _ = responder.machine.provide(psks: [psk(1)], transcript: [1])
        }
    }
}
