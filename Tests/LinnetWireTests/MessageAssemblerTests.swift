import LinnetWire
import Testing

@Suite struct MessageAssemblerTests {
    @Test(arguments: [0, 1, 65_517, 65_518, 131_034, 131_035, 1 << 20])
    func `a message of any legal size comes back`(count: Int) throws {
        var seeded = Seeded(count)
        let body = seeded.bytes(count)
        let plaintexts = try fragments(type: .batch, body: body)
        #expect(plaintexts.count <= Limits.fragmentsPerMessage)
        #expect(plaintexts.allSatisfy { $0.count <= Limits.fragmentBytes })
        var assembler = MessageAssembler()
        for plaintext in plaintexts.dropLast() {
            #expect(try assembler.append(plaintext).isEmpty)
        }
        let last = try #require(plaintexts.last)
        let messages = try assembler.append(last)
        let message = try #require(messages.first)
        #expect(messages.count == 1)
        #expect(message.type == MessageType.batch.rawValue && message.body == body)
        #expect(assembler == MessageAssembler())
    }

    @Test func `a message above the limit is neither sent nor received`() throws {
        #expect(throws: WireError.tooLarge) {
            try fragments(type: .batch, body: [UInt8](repeating: 0, count: 1 << 20 + 1))
        }
        var assembler = MessageAssembler()
        let part: [UInt8] = [1, 0x13] + [UInt8](repeating: 0, count: 65_517)
        for _ in 0..<16 {
            #expect(try assembler.append(part).isEmpty)
        }
        #expect(throws: WireError.tooLarge) { try assembler.append(part) }
    }

    @Test func `more fragments than a message needs are refused`() throws {
        var assembler = MessageAssembler()
        for _ in 0..<17 {
            #expect(try assembler.append([1, 0x10]).isEmpty)
        }
        #expect(throws: WireError.tooLarge) { try assembler.append([0, 0x10]) }
    }

    @Test func `a fragment of another type is refused`() throws {
        var assembler = MessageAssembler()
        #expect(try assembler.append([1, 0x10, 7]).isEmpty)
        #expect(throws: WireError.unexpectedType) { try assembler.append([0, 0x11, 7]) }
    }

    @Test(arguments: [3, 4, 0x80, 0xff] as [UInt8])
    func `unknown flags are refused`(flags: UInt8) {
        var assembler = MessageAssembler()
        #expect(throws: WireError.nonCanonical) { try assembler.append([flags, 0x10]) }
    }

    @Test(arguments: [[], [0]] as [[UInt8]])
    func `a plaintext without flags and type is refused`(plaintext: [UInt8]) {
        var assembler = MessageAssembler()
        #expect(throws: WireError.truncated) { try assembler.append(plaintext) }
    }
}
