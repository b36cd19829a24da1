import LinnetWire
import Testing

@Suite struct JoinedMessagesTests {
    private static func read(_ plaintext: [UInt8]) throws -> [MessageAssembler.Message] {
        var assembler = MessageAssembler()
        let messages = try assembler.append(plaintext)
        #expect(assembler == MessageAssembler())
        return messages
    }

    @Test func `messages that leave in one frame come back in order`() throws {
        let bodies = [0, 1, 127, 128, 300, 16_383].map { [UInt8](repeating: 9, count: $0) }
        let types = MessageType.allCases.prefix(bodies.count)
        var joined = JoinedMessages()
        for (type, body) in zip(types, bodies) {
            let fits = joined.add(type, body)
            #expect(fits)
        }
        let taken = joined.take()
        let messages = try Self.read(try #require(taken))
        #expect(messages.map(\.type) == types.map(\.rawValue))
        #expect(messages.map(\.body) == bodies)
        let nothing = joined.take()
        #expect(nothing == nil)
    }

    @Test func `one message alone takes two bytes more than its body`() throws {
        var joined = JoinedMessages()
        let fits = joined.add(.ping, [7])
        let taken = joined.take()
        #expect(fits && taken == [0, MessageType.ping.rawValue, 7])
    }

    @Test func `what has no room in the frame is left for the next one`() throws {
        var joined = JoinedMessages()
        let body = [UInt8](repeating: 1, count: JoinedMessages.bodyBytes)
        var count = 0
        while joined.add(.need, body) { count += 1 }
        let taken = joined.take()
        let plaintext = try #require(taken)
        #expect(plaintext.count <= Limits.fragmentBytes && count > 1)
        #expect(try Self.read(plaintext).map(\.body) == [[UInt8]](repeating: body, count: count))
        let fits = joined.add(.need, body)
        let isTooLong = !joined.add(.need, body + [1])
        #expect(fits && isTooLong)
    }

    @Test(
        arguments: [
            [2, 0x10], [2, 0x10, 1], [2, 0x10, 1, 7], [2, 0x10, 1, 7, 0], [2, 0x10, 0x81],
            [2, 0x10, 0x80, 2, 7, 0, 0x10],
        ] as [[UInt8]])
    func `a frame that ends before its messages do is refused`(plaintext: [UInt8]) {
        #expect(throws: WireError.truncated) { try Self.read(plaintext) }
    }

    @Test(
        arguments: [
            [2, 0x10, 0x80, 0, 0, 0x10], [2, 0x10, 0x80, 0x80, 1], [2, 0x10, 0, 1, 0x10],
            [3, 0x10, 0, 0, 0x10], [2, 0x10, 0, 6, 0x10],
        ] as [[UInt8]])
    func `a second spelling of a frame is refused`(plaintext: [UInt8]) {
        #expect(throws: WireError.nonCanonical) { try Self.read(plaintext) }
    }

    @Test func `nothing is joined to a message in the making`() throws {
        var assembler = MessageAssembler()
        #expect(try assembler.append([1, 0x10, 7]).isEmpty)
        #expect(throws: WireError.unexpectedType) {
            try assembler.append([2, 0x10, 0, 0, 0x10])
        }
    }
}
