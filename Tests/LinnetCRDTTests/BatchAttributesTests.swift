import LinnetCRDT
import LinnetWire
import Testing

@Suite struct BatchAttributesTests {
    @Test(arguments: 0..<100) func `attributes are read again as they were written`(seed: Int)
        throws
    {
        var seeded = Seeded(seed)
        let attributes = seeded.attributes()
        var writer = CBORWriter()
        attributes.write(to: &writer)
        var reader = CBORReader(writer.bytes)
        #expect(try BatchAttributes(from: &reader) == attributes)
        try reader.finish()
        for _ in 0..<40 {
            let damaged = seeded.mutation(of: writer.bytes)
            var damagedReader = CBORReader(damaged)
            guard let other = try? BatchAttributes(from: &damagedReader) else { continue }
            var again = CBORWriter()
            other.write(to: &again)
            #expect(again.bytes == Array(damaged[..<damagedReader.offset]))
        }
    }

    @Test func `a transaction of one batch needs neither a name nor a number`() throws {
        let alone = BatchAttributes(
            commit: .zero, schemaVersion: 3, baseStamp: Timestamp(wallMilliseconds: 1))
        var writer = CBORWriter()
        alone.write(to: &writer)
        #expect(Hex.encode(writer.bytes) == "a2040305" + "1a00010000")
        var reader = CBORReader(writer.bytes)
        #expect(try BatchAttributes(from: &reader) == alone)
    }

    @Test func `the bytes never change`() throws {
        let attributes = BatchAttributes(
            commit: Bytes16(repeating: 1), part: 1, parts: 2, intent: [9], schemaVersion: 3,
            baseStamp: Timestamp(wallMilliseconds: 1), authors: [Bytes16(repeating: 2)],
            dependencies: [
                .init(
                    scope: Bytes16(repeating: 3),
                    heads: [.init(author: 0, seq: 4, prefix: Bytes8(repeating: 5))])
            ],
            partScopes: [
                .init(scope: Bytes16(repeating: 6), parts: 1),
                .init(scope: Bytes16(repeating: 7), parts: 1),
            ],
            unknown: [.init(key: 9, item: [0xf5])])
        var writer = CBORWriter()
        attributes.write(to: &writer)
        let repeated = { (byte: String, count: Int) in String(repeating: byte, count: count) }
        #expect(
            Hex.encode(writer.bytes)
                == "aa" + "0050" + repeated("01", 16) + "0101" + "0202" + "034109" + "0403"
                + "051a00010000" + "068150" + repeated("02", 16) + "07818250"
                + repeated("03", 16) + "8183000448" + repeated("05", 8)
                + "08828250" + repeated("06", 16) + "018250" + repeated("07", 16) + "01" + "09f5")
    }

    @Test func `what is out of range or out of order is refused`() {
        let good = BatchAttributes(
            commit: .zero, schemaVersion: 1, baseStamp: .zero,
            authors: [Bytes16(repeating: 1), Bytes16(repeating: 2)])
        #expect(throws: Never.self) { try good.validate() }
        let head = BatchAttributes.Dependency(author: 0, seq: 1, prefix: .zero)
        let heads = { (heads: [BatchAttributes.Dependency]) in
            [BatchAttributes.ScopeDependencies(scope: .zero, heads: heads)]
        }
        let changes: [(inout BatchAttributes) -> Void] = [
            { $0.part = 0 }, { $0.part = 2 }, { ($0.part, $0.parts) = (0, 0) },
            { $0.parts = UInt32(Limits.partsPerCommit) + 1 }, { $0.intent = [] },
            { $0.intent = [UInt8](repeating: 0, count: Limits.intentBytes + 1) },
            { $0.authors = Self.authors(Limits.authorsPerBatch + 1) },
            { $0.authors.reverse() }, { $0.authors.append($0.authors[1]) },
            { $0.dependencies = heads([]) },
            { $0.dependencies = heads([head, head]) },
            { $0.dependencies = heads([head]) + heads([head]) },
            { $0.dependencies = heads([.init(author: 2, seq: 1, prefix: .zero)]) },
            { $0.dependencies = heads([.init(author: -1, seq: 1, prefix: .zero)]) },
            { $0.dependencies = heads([.init(author: 0, seq: 0, prefix: .zero)]) },
            { $0.partScopes = [.init(scope: .zero, parts: 1)] },
            {
                $0.parts = 2
                $0.partScopes = [.init(scope: .zero, parts: 1), .init(scope: .zero, parts: 1)]
            },
            {
                $0.parts = 3
                let other = Bytes16(repeating: 1)
                $0.partScopes = [.init(scope: .zero, parts: 1), .init(scope: other, parts: 1)]
            },
            { $0.unknown = [.init(key: 8, item: [0xf6])] },
            { $0.unknown = [.init(key: 10, item: [0xf6]), .init(key: 9, item: [0xf6])] },
        ]
        for change in changes {
            var bad = good
            change(&bad)
            #expect(throws: CRDTError.badAttribute) { try bad.validate() }
        }
    }

    /// As many different authors, in their order.
    private static func authors(_ count: Int) -> [AuthorID] {
        (0..<UInt32(count)).compactMap { number in
            let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            return Bytes16(digits + [UInt8](repeating: 0, count: 12))
        }
    }

    @Test func `what is as large as the limits allow is written and read`() throws {
        var largest = BatchAttributes(
            commit: Bytes16(repeating: 1), part: 2, parts: UInt32(Limits.partsPerCommit),
            intent: [UInt8](repeating: 9, count: Limits.intentBytes), schemaVersion: 1,
            baseStamp: .zero)
        for count in [0, Limits.authorsPerBatch] {
            largest.authors = Self.authors(count)
            try largest.validate()
            var writer = CBORWriter()
            largest.write(to: &writer)
            var reader = CBORReader(writer.bytes, maxItems: writer.bytes.count)
            #expect(try BatchAttributes(from: &reader) == largest)
        }
        largest.authors = []
        for change: (inout BatchAttributes) -> Void in [
            { $0.parts += 1 }, { $0.intent?.append(9) },
            { $0.authors = Self.authors(Limits.authorsPerBatch + 1) },
        ] {
            var beyond = largest
            change(&beyond)
            var writer = CBORWriter()
            beyond.write(to: &writer)
            var reader = CBORReader(writer.bytes, maxItems: writer.bytes.count)
            #expect(throws: CRDTError.self) { try BatchAttributes(from: &reader) }
        }
    }

    @Test(arguments: [
        ("a0", CRDTError.badAttribute),
        ("a4 0101 0201 0401 0500", .badAttribute),
        ("a3 0101 0401 0500", .badAttribute),
        ("a4 0050 # 0101 0401 0500", .badAttribute),
        ("a5 0050 # 0101 0201 0401 0500", .badAttribute),
        ("a5 0050 # 0101 0201 0401 051b8000000000000000", .stampTooLarge),
        ("a6 0050 # 0101 0201 0401 0500 0680", .wire(.nonCanonical)),
        ("a6 0050 # 0101 0201 0401 0500 0780", .wire(.nonCanonical)),
        ("a6 0050 # 0101 0201 0340 0401 0500", .badAttribute),
        ("a5 0101 0050 # 0201 0401 0500", .wire(.nonCanonical)),
        ("a5 0050 # 0100 0201 0401 0500", .badAttribute),
        ("a5 0050 # 0101 021a00010000 0401 0500", .badAttribute),
    ])
    func `bad bytes are named`(template: String, error: CRDTError) throws {
        let zeros = String(repeating: "00", count: 16)
        let parts = template.split(separator: "#", omittingEmptySubsequences: false)
        let bytes = try #require(Hex.decode(parts.joined(separator: zeros).filter { $0 != " " }))
        #expect(throws: error) {
            var reader = CBORReader(bytes)
            return try BatchAttributes(from: &reader)
        }
    }
}

extension Seeded {
    /// Random legal attributes, those of later versions among them.
    mutating func attributes() -> BatchAttributes {
        let parts = below(4) == 0 ? 1 : 1 + below(65_535)
        let authors = OrderedSet((0..<below(4)).map { _ in Bytes16(repeating: UInt8(below(256))) })
        let scopes = OrderedSet((0..<below(3)).map { _ in Bytes16(repeating: UInt8(below(256))) })
        let dependencies = scopes.map { scope in
            BatchAttributes.ScopeDependencies(
                scope: scope,
                heads: authors.enumerated().map { index, _ in
                    .init(
                        author: index, seq: 1 + number() >> 2,
                        prefix: Bytes8(repeating: UInt8(below(256))))
                })
        }
        let keys = OrderedSet((0..<below(3)).map { _ in 9 + number() >> 1 })
        return BatchAttributes(
            commit: Bytes16(repeating: UInt8(below(4) == 0 ? 0 : below(256))),
            part: UInt32(1 + below(parts)),
            parts: UInt32(parts), intent: below(2) == 0 ? nil : bytes(1 + below(64)),
            schemaVersion: UInt32(truncatingIfNeeded: number()),
            baseStamp: Timestamp(rawValue: Int64(number() >> 1)) ?? .zero,
            authors: authors.elements, dependencies: authors.isEmpty ? [] : dependencies,
            unknown: keys.map { .init(key: $0, item: [0x82, 0xf6, 0x61, 0x61]) })
    }
}
