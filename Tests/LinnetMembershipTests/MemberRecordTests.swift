import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct MemberRecordTests {
    private let device = TestDevice(1)

    private func sample() throws -> (MembershipLog, MemberRecord) {
        let log = try device.found()
        return (log, try device.add(TestDevice(2), to: log))
    }

    @Test func `a record reads back as it was signed`() throws {
        for record in try device.found().records + [try sample().1] {
            #expect(try MemberRecord(decoding: record.encoded) == record)
        }
    }

    @Test func `identifier and signature cover the body alone`() throws {
        let (log, record) = try sample()
        var reader = CBORReader(record.encoded)
        try reader.array(exactly: 2)
        let body = try reader.rawItem()
        let signature = try reader.bytes()
        #expect(record.id.array == Hash.blake2b(nil, Array("linnet/member-id/1".utf8), body))
        #expect(
            SigningKey.isValid(signature, .member, body, publicKey: device.device.array))
        #expect(record.group == log.group)
        #expect(record.parents == log.heads.elements)
    }

    @Test func `a genesis record names the group by itself`() throws {
        let genesis = try #require(device.found().records.first)
        #expect(genesis.group == genesis.id)
        #expect(genesis.lamport == 1)
        #expect(genesis.parents.isEmpty)
    }

    @Test func `a record with any byte changed is refused`() throws {
        let (_, record) = try sample()
        for index in record.encoded.indices {
            var bytes = record.encoded
            bytes[index] ^= 0x10
            #expect(membershipError { _ = try MemberRecord(decoding: bytes) } != nil)
        }
    }

    @Test func `a record that is cut or too large is refused`() throws {
        let (_, record) = try sample()
        for count in record.encoded.indices {
            let bytes = Array(record.encoded.prefix(count))
            #expect(membershipError { _ = try MemberRecord(decoding: bytes) } != nil)
        }
        let large = [UInt8](repeating: 0, count: Limits.memberRecordBytes + 1)
        #expect(throws: MembershipError.recordTooLarge) {
            _ = try MemberRecord(decoding: large)
        }
    }

    @Test func `a signature made for another purpose signs no record`() throws {
        let (_, record) = try sample()
        var reader = CBORReader(record.encoded)
        try reader.array(exactly: 2)
        let body = try reader.rawItem()
        for label in Label.allCases where label != .member {
            let forged = [0x82] + body + [0x58, 0x40] + device.keys.signing.sign(label, body)
            #expect(throws: MembershipError.badSignature) {
                _ = try MemberRecord(decoding: forged)
            }
        }
    }

    @Test func `parents stand in order, once each, at most eight`() throws {
        let (log, _) = try sample()
        let (low, high) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
        for parents in [[high, low], [low, low]] {
            #expect(throws: MembershipError.malformed(.nonCanonical)) {
                _ = try device.record(kind: 9, in: log, parents: parents, lamport: 9)
            }
        }
        let nine = (0..<9).map { Bytes32(repeating: $0) }
        #expect(throws: MembershipError.malformed(.tooLarge)) {
            _ = try device.record(kind: 9, in: log, parents: nine, lamport: 9)
        }
    }

    @Test func `only a genesis record is without parents and group`() throws {
        let (log, _) = try sample()
        #expect(throws: MembershipError.malformed(.nonCanonical)) {
            _ = try device.record(kind: 9, in: log, parents: [])
        }
        #expect(throws: MembershipError.malformed(.nonCanonical)) {
            _ = try MemberRecord(
                signing: [0xf6], kind: 9, group: .zero, lamport: 2, parents: log.heads.elements,
                keys: device.keys)
        }
        #expect(throws: MembershipError.malformed(.nonCanonical)) {
            _ = try device.record(kind: MemberKind.genesis.rawValue, in: log)
        }
    }

    @Test func `nobody founds a group for another device`() throws {
        var payload = CBORWriter()
        payload.array(4)
        payload.raw(TestDevice(2).certificate.encoded)
        payload.null()
        payload.map(0)
        payload.bytes(Bytes32.zero)
        #expect(throws: MembershipError.notEntitled) {
            _ = try MemberRecord(
                signing: payload.bytes, kind: 0, group: .zero, lamport: 1, parents: [],
                keys: device.keys)
        }
    }

    @Test func `an unknown kind keeps its bytes`() throws {
        let (log, _) = try sample()
        let record = try device.record(kind: 200, payload: [0x82, 0x01, 0x61, 0x78], in: log)
        let read = try MemberRecord(decoding: record.encoded)
        #expect(read.payload == .unknown)
        #expect(read.kind == 200)
        #expect(read.encoded == record.encoded)
    }

    @Test(arguments: [
        [UInt8](repeating: 0x81, count: 20_000), [0x9a, 0xff, 0xff, 0xff, 0xff],
        [0x82, 0x9a, 0x00, 0x00, 0x7f, 0xff], [0x9f, 0xff], [0x82, 0x80], [],
    ])
    func `bytes that only pretend to be a record are refused`(bytes: [UInt8]) {
        let error = membershipError { _ = try MemberRecord(decoding: bytes) }
        guard case .malformed = error else {
            Issue.record("refused with \(String(describing: error))")
            return
        }
    }

    @Test func `random bytes are refused`() {
        var entropy = entropy(77)
        for _ in 0..<2_000 {
            let bytes = [0x82, 0x87] + entropy.bytes(Int(entropy.uniform(below: 300)))
            #expect(membershipError { _ = try MemberRecord(decoding: bytes) } != nil)
        }
    }

    @Test func `records order by logical time, then by identifier`() throws {
        let records = try sample().0.records
        #expect(MemberRecord.precedes(records[0], records[1]))
        #expect(!MemberRecord.precedes(records[1], records[0]))
        #expect(!MemberRecord.precedes(records[0], records[0]))
    }
}
