import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct PairHelloTests {
    private let speaker = TestDevice(1)
    private let listener = TestDevice(2)
    private let hash = [UInt8](repeating: 7, count: 64)

    private func hello(_ group: GroupID? = nil, name: String = "Anna’s ⌚️ phone") throws -> PairHello
    {
        try PairHello(
            certificate: speaker.certificate, name: name, kind: "phone", group: group)
    }

    private func decode(
        _ body: [UInt8], from side: PairingSide = .typer, hash: [UInt8]? = nil,
        remoteStatic: [UInt8]? = nil, own: DeviceID? = nil
    ) throws -> PairHello {
        try PairHello(
            decoding: body, from: side, handshakeHash: hash ?? self.hash,
            remoteStatic: remoteStatic ?? speaker.keys.noise.publicKey,
            own: own ?? listener.device)
    }

    private func body(_ group: GroupID? = nil, side: PairingSide = .typer) throws -> [UInt8] {
        try hello(group).encode(side: side, handshakeHash: hash, keys: speaker.keys)
    }

    @Test(arguments: PairingSide.allCases, [nil, Bytes32(repeating: 3)])
    func `a greeting reads back as it was made`(side: PairingSide, group: GroupID?) throws {
        #expect(try decode(body(group, side: side), from: side) == hello(group))
    }

    @Test func `a greeting belongs to one side of one channel`() throws {
        let body = try body()
        #expect(throws: MembershipError.badBinding) { _ = try decode(body, from: .shower) }
        #expect(throws: MembershipError.badBinding) {
            _ = try decode(body, hash: [UInt8](repeating: 8, count: 64))
        }
        #expect(throws: MembershipError.badBinding) {
            _ = try decode(body, remoteStatic: listener.keys.noise.publicKey)
        }
        #expect(throws: MembershipError.badBinding) { _ = try decode(body, remoteStatic: []) }
        #expect(throws: MembershipError.reflected) { _ = try decode(body, own: speaker.device) }
    }

    @Test func `the certificate of another device is no use`() throws {
        let stolen = try PairHello(
            certificate: speaker.certificate, name: "x", kind: "phone", group: nil
        ).encode(side: .typer, handshakeHash: hash, keys: listener.keys)
        #expect(throws: MembershipError.badBinding) {
            _ = try decode(stolen, own: TestDevice(3).device)
        }
    }

    @Test func `a changed certificate or signature is refused`() throws {
        let body = try body()
        for index in 0..<(speaker.certificate.encoded.count + 67) {
            var changed = body
            changed[index] ^= 1
            #expect(membershipError { _ = try decode(changed) } != nil)
        }
        for count in body.indices {
            #expect(membershipError { _ = try decode(Array(body.prefix(count))) } != nil)
        }
        #expect(throws: MembershipError.malformed(.tooLarge)) {
            _ = try decode([UInt8](repeating: 0, count: Limits.pairHelloBytes + 1))
        }
    }

    @Test func `standing and group agree`() throws {
        var body = try body()
        let standing = body.count - 2
        #expect(body[standing...] == [0, 0xf6])
        body[standing] = 1
        #expect(throws: MembershipError.malformed(.unexpectedType)) { _ = try decode(body) }
    }

    @Test(arguments: [
        "", "two\nlines", "bell\u{7}", "esc\u{1b}[31m", "right\u{202e}left", "iso\u{2066}late",
        "c1\u{9b}", String(repeating: "é", count: 33),
    ])
    func `names that a screen must not be given are refused`(name: String) {
        #expect(throws: MembershipError.badLabel) { _ = try hello(name: name) }
        #expect(throws: MembershipError.badLabel) {
            _ = try PairHello(
                certificate: speaker.certificate, name: "x", kind: name, group: nil)
        }
    }

    @Test func `a hostile name in a well-signed greeting is refused`() throws {
        var writer = CBORWriter()
        writer.array(5)
        writer.raw(speaker.certificate.encoded)
        writer.bytes(speaker.keys.signing.sign(.pairBind, [0] + hash))
        writer.array(2)
        writer.text("\u{1b}[2J")
        writer.text("phone")
        writer.unsigned(0)
        writer.null()
        #expect(throws: MembershipError.badLabel) { _ = try decode(writer.bytes) }
    }

    @Test func `exactly one side is a member`() throws {
        let (group, other) = (Bytes32(repeating: 3), Bytes32(repeating: 4))
        #expect(try hello(group).part(with: hello()) == .admits)
        #expect(try hello().part(with: hello(group)) == .joins)
        #expect(throws: MembershipError.bothNewcomers) { _ = try hello().part(with: hello()) }
        #expect(throws: MembershipError.sameGroup) {
            _ = try hello(group).part(with: hello(group))
        }
        #expect(throws: MembershipError.differentGroups) {
            _ = try hello(group).part(with: hello(other))
        }
    }
}
