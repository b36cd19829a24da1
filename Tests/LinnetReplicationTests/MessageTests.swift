import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct MessageTests {
    private let scope = ScopeID(repeating: 1)
    private let chain = AuthorID(repeating: 2)

    @Test func `every message body reads back as it was written`() throws {
        let hello = HelloMessage(
            incarnation: Incarnation(repeating: 3), wallMilliseconds: -5, schemaVersion: 7,
            creditLimit: .max)
        #expect(try HelloMessage.decode(hello.encode()) == hello)
        let head = ListedHead(chain: chain, seq: 9, prefix: Bytes8(repeating: 4))
        let listing = VectorListing(scopes: [ListedScope(scope: scope, heads: [head])])
        let have = HaveMessage(form: .digested([5, 5, 5, 5, 5, 5, 5, 5]), listing: listing)
        #expect(try HaveMessage.decode(have.encode()) == have)
        let numbered = [NumberedHead(number: 3, seq: 9, prefix: Bytes32.zero.prefix8)]
        for form in [HaveMessage.Form.whole, .relative(changed: numbered, lacking: [0, 4])] {
            let have = HaveMessage(form: form, listing: listing)
            #expect(try HaveMessage.decode(have.encode()) == have)
        }
        let short = AckMessage(numbered: numbered)
        #expect(try AckMessage.decode(short.encode()) == short)
        let ack = AckMessage(
            numbered: [NumberedHead(number: 3, seq: 9, prefix: Bytes32.zero.prefix8)],
            listing: listing, creditLimit: 12)
        #expect(try AckMessage.decode(ack.encode()) == ack)
        let need = NeedMessage(
            ranges: [NeededRange(scope: scope, chain: chain, first: 1, last: .max)])
        #expect(try NeedMessage.decode(need.encode()) == need)
        let signature = [UInt8](repeating: 6, count: 64)
        for form in [
            BatchMessage.Form.full(header: [1, 2]),
            .continued(nonce: [UInt8](repeating: 7, count: 24)), .continued(nonce: nil),
            .listed(number: 3, nonce: nil),
            .listed(number: 0, nonce: [UInt8](repeating: 7, count: 24)),
        ] {
            let batch = BatchMessage(form: form, ciphertext: [1, 2, 3], signature: signature)
            #expect(try BatchMessage.decode(batch.encode()) == batch)
        }
        let signed = SignedHeader(
            header: [1], ciphertextHash: [UInt8](repeating: 8, count: 32), signature: signature)
        let fork = ForkMessage(first: signed, second: signed)
        #expect(try ForkMessage.decode(fork.encode()) == fork)
        let ids = [Bytes32(repeating: 9)]
        let get = MemberGetMessage(group: Bytes32(repeating: 1), wanted: ids, held: ids)
        #expect(try MemberGetMessage.decode(get.encode()) == get)
        let heads = MemberHeadsMessage(heads: ids)
        #expect(try MemberHeadsMessage.decode(heads.encode()) == heads)
        let named = MemberHeadsMessage(group: Bytes32(repeating: 1), heads: ids)
        #expect(try MemberHeadsMessage.decode(named.encode()) == named)
        let records = MemberRecordsMessage(group: Bytes32(repeating: 1), records: [[0x80], [0x01]])
        #expect(try MemberRecordsMessage.decode(records.encode()) == records)
    }

    @Test func `a greeting with keys of a later version is understood`() throws {
        var writer = CBORWriter()
        writer.map(4)
        writer.unsigned(0)
        writer.bytes(Incarnation(repeating: 3))
        writer.unsigned(1)
        writer.signed(10)
        writer.unsigned(4)
        writer.unsigned(100)
        writer.unsigned(99)
        writer.text("later")
        let hello = try HelloMessage.decode(writer.bytes)
        #expect(hello.creditLimit == 100)
        #expect(hello.schemaVersion == 0)
    }

    @Test func `ranges from zero or backwards are refused`() {
        for (first, last) in [(0, 5), (5, 4)] as [(UInt64, UInt64)] {
            let need = NeedMessage(
                ranges: [NeededRange(scope: scope, chain: chain, first: first, last: last)])
            #expect(throws: WireError.self) { try NeedMessage.decode(need.encode()) }
        }
    }

    @Test(arguments: [0, UInt64(Int64.max) + 1, .max])
    func `a listed sequence that no batch can have is refused`(seq: UInt64) {
        let head = ListedHead(chain: chain, seq: seq, prefix: Bytes8(repeating: 4))
        let listing = VectorListing(scopes: [ListedScope(scope: scope, heads: [head])])
        let ack = AckMessage(listing: listing, creditLimit: 1)
        #expect(throws: WireError.self) { try AckMessage.decode(ack.encode()) }
    }

    @Test func `no cut and no flipped bit of a body traps`() {
        let head = ListedHead(chain: chain, seq: 9, prefix: Bytes8(repeating: 4))
        let listing = VectorListing(scopes: [ListedScope(scope: scope, heads: [head, head])])
        let body = HaveMessage(form: .digested([5, 5, 5, 5, 5, 5, 5, 5]), listing: listing).encode()
        for end in body.indices {
            #expect(throws: WireError.self) { try HaveMessage.decode(Array(body[..<end])) }
        }
        for position in body.indices {
            for bit in 0..<8 {
                var changed = body
                changed[position] ^= 1 << UInt8(bit)
                if let read = try? HaveMessage.decode(changed) {
                    #expect(read.encode() == changed)
                }
                _ = try? NeedMessage.decode(changed)
                _ = try? AckMessage.decode(changed)
                _ = try? BatchMessage.decode(changed)
                _ = try? ForkMessage.decode(changed)
                _ = try? HelloMessage.decode(changed)
                _ = try? MemberRecordsMessage.decode(changed)
            }
        }
    }
}
