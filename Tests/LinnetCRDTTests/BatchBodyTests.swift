import LinnetCRDT
import LinnetWire
import Testing

@Suite struct BatchBodyTests {
    @Test(arguments: 0..<60) func `a body is read again as it was written`(seed: Int) throws {
        var seeded = Seeded(seed)
        let body = try seeded.body(count: seeded.below(60))
        let plaintext = try body.encodePlaintext()
        #expect(try BatchBody.decode(plaintext: plaintext) == body)
        #expect(plaintext.count == Padding.padme(plaintext.count))
        for operation in body.operations {
            #expect(body.stamp(of: operation) >= body.attributes.baseStamp)
        }
    }

    @Test(arguments: 0..<40)
    func `damaged bodies are refused or say the same when written again`(seed: Int) throws {
        var seeded = Seeded(seed)
        let original = try BatchBodyTests.content(of: seeded.body(count: 4).encodePlaintext())
        for _ in 0..<60 {
            let content = seeded.mutation(of: original)
            let plaintext = BatchBodyTests.plaintext(content)
            if let body = try? BatchBody.decode(plaintext: plaintext) {
                #expect(try BatchBodyTests.content(of: body.encodePlaintext()) == content)
            }
        }
    }

    @Test func `damaged plaintexts never trap`() throws {
        var seeded = Seeded(5)
        let plaintext = try seeded.body(count: 40).encodePlaintext()
        for _ in 0..<2_000 {
            let damaged = seeded.mutation(of: plaintext)
            if let body = try? BatchBody.decode(plaintext: damaged) {
                #expect(body.operations.count <= Limits.operationsPerBatch)
            }
        }
    }

    @Test func `padding is zero and of the prescribed length`() throws {
        var seeded = Seeded(6)
        let content = try BatchBodyTests.content(of: seeded.body(count: 5).encodePlaintext())
        var plaintext = BatchBodyTests.plaintext(content)
        #expect(throws: Never.self) { try BatchBody.decode(plaintext: plaintext) }
        let padding = plaintext.count - 6 - content.count
        try #require(padding > 0)
        let error = CRDTError.wire(.badPadding)
        #expect(throws: error) { try BatchBody.decode(plaintext: plaintext + [0]) }
        #expect(throws: error) { try BatchBody.decode(plaintext: plaintext.dropLast()) }
        plaintext[plaintext.count - 1] = 1
        #expect(throws: error) { try BatchBody.decode(plaintext: plaintext) }
    }

    @Test func `lengths that lie are refused`() {
        let body = [UInt8](repeating: 0x80, count: 10)
        #expect(throws: CRDTError.wire(.truncated)) { try BatchBody.decode(plaintext: []) }
        #expect(throws: CRDTError.wire(.truncated)) {
            try BatchBody.decode(plaintext: [0, 0, 0, 0, 0, 11] + body)
        }
        #expect(throws: CRDTError.batchTooLarge) {
            try BatchBody.decode(plaintext: [0, 0, 0xff, 0xff, 0xff, 0xff] + body)
        }
        #expect(throws: CRDTError.batchTooLarge) {
            try BatchBody.decode(plaintext: [0, 1, 0x00, 0x10, 0x00, 0x01] + body)
        }
        let bomb = Deflate.compress([UInt8](repeating: 0, count: 1 << 20))
        #expect(throws: CRDTError.wire(.badCompression)) {
            try BatchBody.decode(plaintext: [0, 1, 0, 0, 1, 0] + bomb)
        }
        let large = [UInt8](repeating: 0, count: Limits.batchPlaintextBytes + 1)
        #expect(throws: CRDTError.batchTooLarge) { try BatchBody.decode(plaintext: large) }
    }

    @Test(arguments: [[2, 0], [0, 2], [1, 2], [255, 255]] as [[UInt8]])
    func `another encoding or compression is unknown`(start: [UInt8]) {
        #expect(throws: CRDTError.unknownFormat) {
            try BatchBody.decode(plaintext: start + [0, 0, 0, 0])
        }
    }

    @Test func `a stamp past the ceiling makes the batch invalid`() throws {
        var seeded = Seeded(1)
        var body = try seeded.body(count: 1)
        body.attributes.baseStamp = .ceiling
        body.list[0].stampDelta = 0
        let plaintext = try body.encodePlaintext()
        #expect(
            try BatchBody.decode(plaintext: plaintext).stamp(of: body.operations[0]) == .ceiling)
        body.list[0].stampDelta = 1
        #expect(throws: CRDTError.stampTooLarge) { try body.encodePlaintext() }
        var content = try BatchBodyTests.content(of: plaintext)
        let operation = body.operations[0].encoded
        content.replaceSubrange(content.count - operation.count..<content.count, with: operation)
        #expect(throws: CRDTError.stampTooLarge) {
            try BatchBody.decode(plaintext: BatchBodyTests.plaintext(content))
        }
    }

    @Test func `4,096 operations fit and one more does not`() throws {
        var seeded = Seeded(2)
        var body = try seeded.body(count: 0)
        let operation = try Seeded.blank(kind: 1)
        body.list = [LinnetCRDT.Operation](repeating: operation, count: 4_096)
        let plaintext = try body.encodePlaintext()
        #expect(try BatchBody.decode(plaintext: plaintext) == body)
        body.operations.append(operation)
        #expect(throws: CRDTError.batchTooLarge) { try body.encodePlaintext() }
        var rows = CBORWriter()
        rows.array(2)
        body.attributes.write(to: &rows)
        rows.array(body.operations.count)
        for operation in body.operations { operation.write(to: &rows) }
        #expect(throws: CRDTError.batchTooLarge) {
            try BatchBody.decode(plaintext: BatchBodyTests.plaintext(rows.bytes))
        }
    }

    @Test func `a few operations are written in rows and many in columns`() throws {
        var seeded = Seeded(8)
        var body = try seeded.body(count: 0)
        for (count, encodings) in [(0, [0]), (7, [0]), (9, [0, 1]), (32, [1])] as [(Int, [UInt8])] {
            body.list = try (0..<count).map { _ in try seeded.operation() }
            for index in body.list.indices { body.list[index].stampDelta = 0 }
            #expect(encodings.contains(try body.encodePlaintext()[0]))
        }
    }

    @Test(arguments: 0..<20) func `damaged columns never trap and never say two things`(
        seed: Int
    ) throws {
        var seeded = Seeded(seed)
        let original = try seeded.body(count: 40).encodePlaintext()
        let content = try BatchBodyTests.content(of: original)
        for _ in 0..<100 {
            var plaintext = BatchBodyTests.plaintext(seeded.mutation(of: content))
            plaintext[0] = 1
            guard let body = try? BatchBody.decode(plaintext: plaintext) else { continue }
            #expect(try BatchBody.decode(plaintext: body.encodePlaintext()) == body)
        }
    }

    @Test func `a body that does not compress below the limit is refused by its writer`() throws {
        var seeded = Seeded(3)
        var body = try seeded.body(count: 0)
        for _ in 0..<5 {
            var operation = try Seeded.blank(kind: 1)
            operation.payload = try Value.bytes(seeded.bytes(60_000)).encoded()
            body.operations.append(operation)
        }
        #expect(throws: CRDTError.batchTooLarge) { try body.encodePlaintext() }
        body.list.removeLast()
        #expect(try BatchBody.decode(plaintext: try body.encodePlaintext()) == body)
    }

    @Test func `an op that means nothing does not spoil its batch`() throws {
        var seeded = Seeded(4)
        var body = try seeded.body(count: 3)
        body.list[1].kind = OperationKind.lwwSet.rawValue
        body.list[1].payload = [0xa1, 0x00, 0x84, 0x18, 0x63, 0xf5, 0x40, 0x80]
        let again = try BatchBody.decode(plaintext: try body.encodePlaintext())
        #expect(again == body && !again.operations[1].hasGoodPayload)
    }

    /// An uncompressed plaintext around any content.
    private static func plaintext(_ content: [UInt8]) -> [UInt8] {
        var plaintext: [UInt8] = [0, 0]
        BigEndian.append(UInt32(content.count), to: &plaintext)
        plaintext += content
        let padded = Padding.padme(plaintext.count)
        return plaintext + [UInt8](repeating: 0, count: padded - plaintext.count)
    }

    /// The body inside a plaintext, expanded.
    private static func content(of plaintext: [UInt8]) throws -> [UInt8] {
        let count = plaintext[2..<6].reduce(0) { $0 << 8 | Int($1) }
        let rest = Array(plaintext[6...])
        return plaintext[1] == 0
            ? Array(rest[..<count]) : try Deflate.decompress(rest, exactly: count).output
    }
}

extension Seeded {
    /// Random attributes and operations, all stamps below the ceiling.
    mutating func body(count: Int) throws -> BatchBody {
        var attributes = attributes()
        attributes.baseStamp = Timestamp(wallMilliseconds: Int64(below(1 << 46)))
        var operations: [LinnetCRDT.Operation] = []
        for _ in 0..<count {
            var operation = try operation()
            operation.stampDelta = UInt64(below(1 << 40))
            operations.append(operation)
        }
        return BatchBody(attributes: attributes, operations: operations)
    }
}

extension BatchBody {
    /// The operations to be changed one by one.
    fileprivate var list: [LinnetCRDT.Operation] {
        get { Array(operations) }
        set { operations = Operations(newValue) }
    }
}
