import LinnetChannel
import LinnetWire
import Testing

struct PrefaceTests {
    private let nonce = (0..<16).map { UInt8($0) }

    @Test func `a preface has the bytes of the protocol`() throws {
        let preface = Preface(mode: .pairTicket, nonce: nonce)
        #expect(
            Hex.encode(preface.bytes) == "4c4e543101010200000102030405060708090a0b0c0d0e0f")
        #expect(try Preface(parsing: preface.bytes) == preface)
    }

    @Test func `hostile prefaces are refused by name`() {
        let good = Preface(mode: .member, nonce: nonce).bytes
        func error(at index: Int, _ byte: UInt8) -> ChannelError? {
            var bytes = good
            bytes[index] = byte
            do throws(ChannelError) {
                _ = try Preface(parsing: bytes)
                return nil
            } catch {
                return error
            }
        }
        for index in 0..<4 { #expect(error(at: index, 0) == .badMagic) }
        #expect(error(at: 4, 2) == .version)
        #expect(error(at: 5, 0) == .version)
        for mode in 3...255 { #expect(error(at: 6, UInt8(mode)) == .mode) }
        for reserved in 1...255 { #expect(error(at: 7, UInt8(reserved)) == .protocolViolation) }
        for count in [0, 23] {
            #expect(throws: ChannelError.badMagic) {
                try Preface(parsing: Array(good.prefix(count)))
            }
        }
        #expect(throws: ChannelError.badMagic) { try Preface(parsing: good + [0]) }
    }

    @Test func `two prefaces must share a version and a mode, and differ`() throws {
        let local = Preface(mode: .member, nonce: nonce, versions: 2...4)
        let other = [UInt8](repeating: 9, count: 16)
        for versions in [1...2, 4...9, 3...3, 0...255] as [ClosedRange<UInt8>] {
            try local.check(with: Preface(mode: .member, nonce: other, versions: versions))
        }
        for versions in [1...1, 5...9] as [ClosedRange<UInt8>] {
            #expect(throws: ChannelError.version) {
                try local.check(with: Preface(mode: .member, nonce: other, versions: versions))
            }
        }
        #expect(throws: ChannelError.mode) {
            try local.check(with: Preface(mode: .pairCode, nonce: other, versions: 2...4))
        }
        #expect(throws: ChannelError.protocolViolation) { try local.check(with: local) }
    }

    @Test func `the prologue binds both prefaces and the transcript`() {
        let first = Preface(mode: .pairCode, nonce: nonce)
        let second = Preface(mode: .pairCode, nonce: [UInt8](repeating: 9, count: 16))
        #expect(
            Preface.prologue(initiator: first, responder: second, transcript: [1, 2])
                == Array("linnet/noise/1".utf8) + first.bytes + second.bytes + [1, 2])
    }
}
