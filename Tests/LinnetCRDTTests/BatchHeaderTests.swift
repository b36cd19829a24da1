import LinnetCRDT
import LinnetWire
import Testing

@Suite struct BatchHeaderTests {
    private static func header(seq: UInt64 = 7) -> BatchHeader {
        BatchHeader(
            group: Bytes32(repeating: 1), device: Bytes32(repeating: 2),
            incarnation: Bytes8(repeating: 3), scope: Bytes16(repeating: 4), seq: seq,
            prev: seq == 1 ? .zero : Bytes32(repeating: 5), epoch: Bytes32(repeating: 6),
            nonce: [UInt8](repeating: 7, count: 24))
    }

    @Test(arguments: [1, 2, 23, 24, 65_536, UInt64(Int64.max)])
    func `a header is read again as it was written`(seq: UInt64) throws {
        let header = BatchHeaderTests.header(seq: seq)
        #expect(try BatchHeader.decode(header.encoded) == header)
    }

    @Test func `the bytes never change`() {
        let repeated = { (byte: String, count: Int) in String(repeating: byte, count: count) }
        #expect(
            Hex.encode(BatchHeaderTests.header().encoded)
                == "8901" + "5820" + repeated("01", 32) + "5820" + repeated("02", 32)
                + "48" + repeated("03", 8) + "50" + repeated("04", 16) + "07"
                + "5820" + repeated("05", 32) + "5820" + repeated("06", 32)
                + "5818" + repeated("07", 24))
    }

    @Test func `every bit that is changed changes the header or breaks it`() throws {
        let header = BatchHeaderTests.header()
        let bytes = header.encoded
        for position in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[position] ^= 1 << bit
                if let other = try? BatchHeader.decode(damaged) {
                    #expect(other != header && other.encoded == damaged)
                }
            }
            #expect(throws: CRDTError.self) { try BatchHeader.decode(Array(bytes[..<position])) }
        }
        #expect(throws: CRDTError.wire(.trailingBytes)) { try BatchHeader.decode(bytes + [0]) }
    }

    @Test func `another format is unknown, whatever follows`() {
        var bytes = BatchHeaderTests.header().encoded
        bytes[1] = 3
        #expect(throws: CRDTError.unknownFormat) { try BatchHeader.decode(bytes) }
        #expect(throws: CRDTError.unknownFormat) { try BatchHeader.decode([0x82, 0x03, 0xf6]) }
        #expect(throws: CRDTError.wire(.badLength)) { try BatchHeader.decode([0x82, 0x02, 0xf6]) }
        #expect(throws: CRDTError.wire(.badLength)) { try BatchHeader.decode([0x82, 0x01, 0xf6]) }
    }

    @Test func `numbers start at 1, and the first batch alone has no predecessor`() {
        var bytes = BatchHeaderTests.header(seq: 2).encoded
        let position = 2 + 34 + 34 + 9 + 17
        for seq in [0, 1] as [UInt8] {
            bytes[position] = seq
            #expect(throws: CRDTError.badSequence) { try BatchHeader.decode(bytes) }
        }
        var first = BatchHeaderTests.header(seq: 1).encoded
        first[position] = 2
        #expect(throws: CRDTError.badSequence) { try BatchHeader.decode(first) }
    }

    @Test func `a nonce of another length is our own bug`() async {
        await #expect(processExitsWith: .failure) {
            _ = BatchHeader(
                group: .zero, device: .zero, incarnation: .zero, scope: .zero, seq: 1,
                prev: .zero, epoch: .zero, nonce: [])
        }
    }
}
