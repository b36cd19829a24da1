import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// The sizes of messages: as large as the limit is read, one larger is refused.
@Suite struct MessageLimitsTests {
    private func ids(_ count: Int) -> [Bytes32] {
        (0..<count).map { Bytes32(repeating: UInt8(truncatingIfNeeded: $0)) }
    }

    private func heads(_ count: Int) -> [ListedHead] {
        [ListedHead](
            repeating: ListedHead(chain: .zero, seq: 1, prefix: .zero), count: count)
    }

    @Test func `heads, wanted and sent membership records have a number`() throws {
        let (heads, wanted) = (Limits.memberHeads, Limits.memberGetRecords)
        let group = Bytes32(repeating: 1)
        for earlier in [nil, group] {
            let body = { MemberHeadsMessage(group: earlier, heads: self.ids($0)).encode() }
            #expect(try MemberHeadsMessage.decode(body(heads)).heads.count == heads)
            #expect(throws: WireError.tooLarge) { try MemberHeadsMessage.decode(body(heads + 1)) }
        }
        for (first, second) in [(wanted, 0), (0, wanted), (wanted + 1, 0), (0, wanted + 1)] {
            let body = MemberGetMessage(group: group, wanted: ids(first), held: ids(second))
                .encode()
            if max(first, second) == wanted {
                #expect(try MemberGetMessage.decode(body).wanted.count == first)
            } else {
                #expect(throws: WireError.tooLarge) { try MemberGetMessage.decode(body) }
            }
        }
        let records = { (count: Int) in
            MemberRecordsMessage(
                group: group, records: [[UInt8]](repeating: [0xf6], count: count)
            ).encode()
        }
        let most = Limits.memberProofRecords
        #expect(try MemberRecordsMessage.decode(records(most)).records.count == most)
        #expect(throws: WireError.tooLarge) {
            try MemberRecordsMessage.decode(records(most + 1))
        }
    }

    @Test func `one membership record has a size`() throws {
        let record = { (bytes: Int) in
            var writer = CBORWriter()
            writer.bytes([UInt8](repeating: 0, count: bytes - 3))
            return MemberRecordsMessage(group: .zero, records: [writer.bytes]).encode()
        }
        let most = Limits.memberRecordBytes
        #expect(try MemberRecordsMessage.decode(record(most)).records[0].count == most)
        #expect(throws: WireError.tooLarge) { try MemberRecordsMessage.decode(record(most + 1)) }
    }

    @Test func `a batch has room for its ciphertext and header, and for no byte more`() throws {
        let body = { (header: Int, ciphertext: Int) in
            BatchMessage(
                form: .full(header: [UInt8](repeating: 0, count: header)),
                ciphertext: [UInt8](repeating: 0, count: ciphertext),
                signature: [UInt8](repeating: 0, count: 64)
            ).encode()
        }
        let (header, ciphertext) = (BatchMessage.headerBytesMaximum, Limits.batchCiphertextBytes)
        let largest = try BatchMessage.decode(body(header, ciphertext))
        #expect(largest.ciphertext.count == ciphertext)
        #expect(throws: WireError.tooLarge) { try BatchMessage.decode(body(header + 1, 16)) }
        #expect(throws: WireError.tooLarge) { try BatchMessage.decode(body(1, ciphertext + 1)) }
        #expect(throws: BatchRefusal.tooLarge) {
            try SealedBatch(
                headerBytes: [], ciphertext: [UInt8](repeating: 0, count: ciphertext + 1),
                signature: [], group: .zero)
        }
    }

    @Test func `listings, questions and filters have a number of entries`() throws {
        let most = VectorListing.chainsMaximum
        let listing = { (counts: [Int]) in
            HaveMessage(
                listing: VectorListing(
                    scopes: counts.map { ListedScope(scope: .zero, heads: heads($0)) })
            ).encode()
        }
        #expect(try HaveMessage.decode(listing([most - 1, 1])).listing.keys.count == most)
        for counts in [[most + 1], [most, 1]] {
            #expect(throws: WireError.tooLarge) { try HaveMessage.decode(listing(counts)) }
        }
        let range = NeededRange(scope: .zero, chain: .zero, first: 1, last: 1)
        let need = { NeedMessage(ranges: [NeededRange](repeating: range, count: $0)).encode() }
        let ranges = NeedMessage.rangesMaximum
        #expect(try NeedMessage.decode(need(ranges)).ranges.count == ranges)
        #expect(throws: WireError.tooLarge) { try NeedMessage.decode(need(ranges + 1)) }
        let filter = { (count: Int) in
            var writer = CBORWriter()
            let names = (0..<UInt64(count)).compactMap { Bytes16($0.bytes + $0.bytes) }
            ScopeFilter(isExclusion: false, scopes: OrderedSet(names)).write(to: &writer)
            return CBORReader(writer.bytes)
        }
        var fitting = filter(ScopeFilter.scopesMaximum)
        #expect(
            try ScopeFilter.read(from: &fitting).scopes.elements.count == ScopeFilter.scopesMaximum)
        var larger = filter(ScopeFilter.scopesMaximum + 1)
        #expect(throws: WireError.tooLarge) { try ScopeFilter.read(from: &larger) }
    }

    @Test func `the largest proof of a fork fits, and longer bytes are not looked at`() throws {
        let header = SignedHeader(
            header: [UInt8](repeating: 1, count: BatchMessage.headerBytesMaximum),
            ciphertextHash: [UInt8](repeating: 2, count: 32),
            signature: [UInt8](repeating: 3, count: 64))
        let largest = ForkMessage(first: header, second: header).encode()
        #expect(largest.count <= Limits.forkBytes)
        #expect(try ForkMessage.decode(largest).second == header)
        let padded = { largest + [UInt8](repeating: 0, count: $0 - largest.count) }
        #expect(throws: WireError.trailingBytes) {
            try ForkMessage.decode(padded(Limits.forkBytes))
        }
        #expect(throws: WireError.tooLarge) { try ForkMessage.decode(padded(Limits.forkBytes + 1)) }
    }

    @Test func `a certificate has a size, beyond which nothing of it is looked at`() throws {
        let body = { (bytes: Int) in
            var writer = CBORWriter()
            writer.array(2)
            writer.bool(true)
            writer.bytes([UInt8](repeating: 0, count: bytes))
            return writer.bytes
        }
        let most = Limits.certificateBytes
        #expect(throws: WireError.unexpectedType) { try CertificateMessage.decode(body(most)) }
        #expect(throws: WireError.tooLarge) { try CertificateMessage.decode(body(most + 1)) }
        let fleet = Fleet()
        let device = try fleet.group(["a"])[0]
        let statement = try #require(try device.replica?.holdingStatement(at: fleet.now))
        #expect(statement.encoded.count <= most)
    }
}
