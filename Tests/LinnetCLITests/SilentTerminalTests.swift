import Testing

@testable import LinnetCLI

/// The editing of a line that `SilentTerminal` reads.
struct SilentTerminalTests {
    private func typed(_ keys: [UInt8], limit: Int = 8) -> (LineEdit.Outcome, [UInt8]) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
        defer { unsafe room.deallocate() }
        var edit = LineEdit(limit: limit)
        var outcome = LineEdit.Outcome.more
        for key in keys where outcome == .more { outcome = unsafe edit.take(key, room) }
        return unsafe (outcome, Array(room.prefix(edit.count)))
    }

    @Test func `keys up to the end of the line are the passphrase`() {
        #expect(typed(Array("abc".utf8)) == (.more, Array("abc".utf8)))
        #expect(typed(Array("abc\nd".utf8)) == (.done, Array("abc".utf8)))
        #expect(typed(Array("abc\r".utf8)) == (.done, Array("abc".utf8)))
    }

    @Test func `rubbing out takes a whole character, and the line at once`() {
        #expect(typed(Array("aé".utf8) + [0x7f, 0x0a]) == (.done, Array("a".utf8)))
        #expect(typed([0x08, 0x7f] + Array("b".utf8) + [0x0a]) == (.done, Array("b".utf8)))
        #expect(typed(Array("abc".utf8) + [0x15, 0x64, 0x0a]) == (.done, [0x64]))
    }

    @Test(arguments: [0x03, 0x04, 0x1a, 0x1c] as [UInt8])
    func `what interrupts gives up`(key: UInt8) {
        #expect(typed(Array("ab".utf8) + [key]).0 == .givenUp)
    }

    @Test func `a line that is too long gives up instead of being cut`() {
        #expect(typed(Array("12345678".utf8)).0 == .more)
        #expect(typed(Array("123456789".utf8)).0 == .givenUp)
    }
}
