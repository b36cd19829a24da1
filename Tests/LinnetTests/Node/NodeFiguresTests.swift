import Linnet
import Testing

/// Figures beside a plain loop over the records.
@Suite(.timeLimit(.minutes(5)))
struct NodeFiguresTests {
    private let home = TestHome()

    private static let sales = Collection(
        id: 2_000, name: "sale", scope: "shop",
        fields: [
            Field(id: 1, name: "what", type: .text, index: .clear),
            Field(id: 2, name: "count", type: .int, index: .clear),
            Field(id: 3, name: "price", type: .decimal),
            Field(id: 4, name: "mood", kind: .mv, type: .int),
            Field(id: 5, name: "weight", type: .double),
            Field(id: 6, name: "size", group: [.init("width", .int), .init("unit", .text)]),
            Field(id: 7, name: "stock", kind: .tally, type: .int),
        ])

    private func node() async throws -> Node {
        try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop,
            schema: try Schema(version: 1, collections: [Self.sales]))
    }

    private static let aggregates: [Aggregate] = [
        .count, .sum("count"), .min("count"), .max("count"), .average("count"), .sum("price"),
        .min("price"), .max("price"), .min("what"), .max("width"), .sum("stock"),
    ]

    /// The same figures by a plain loop.
    private func expected(_ records: [Record], by fields: [String]) -> [FigureGroup] {
        var groups: [(by: [Value], records: [Record])] = fields.isEmpty ? [([], records)] : []
        if !fields.isEmpty {
            for record in records {
                let by = fields.map { record[$0] ?? .null }
                if let place = groups.firstIndex(where: { $0.by == by }) {
                    groups[place].records.append(record)
                } else {
                    groups.append((by, [record]))
                }
            }
        }
        func ints(_ records: [Record], _ field: String) -> [Int64] {
            records.compactMap { if case .int(let number)? = $0[field] { number } else { nil } }
        }
        func decimals(_ records: [Record], _ field: String) -> [Decimal64] {
            records.compactMap { if case .decimal(let number)? = $0[field] { number } else { nil } }
        }
        return groups.sorted { "\($0.by)" < "\($1.by)" }.map { group in
            let counts = ints(group.records, "count")
            let prices = decimals(group.records, "price")
            let units: [Int8: Int64] = [-2: 1, -1: 10, 0: 100, 1: 1_000]
            let cents = prices.reduce(Int64(0)) { $0 + $1.mantissa * (units[$1.exponent] ?? 0) }
            let texts: [String] = group.records.compactMap {
                if case .text(let text)? = $0["what"] { text } else { nil }
            }
            let sum = counts.reduce(0, +)
            let average = counts.isEmpty ? nil : Double(sum) / Double(counts.count)
            return FigureGroup(
                by: group.by,
                figures: [
                    Figure(.int(Int64(group.records.count))), Figure(.int(sum)),
                    Figure(counts.min().map(Value.int) ?? .null),
                    Figure(counts.max().map(Value.int) ?? .null),
                    Figure(average.map(Value.double) ?? .null),
                    Figure(.decimal(Decimal64(mantissa: cents, exponent: -2) ?? .zero)),
                    Figure(prices.min().map(Value.decimal) ?? .null),
                    Figure(prices.max().map(Value.decimal) ?? .null),
                    Figure(texts.min().map(Value.text) ?? .null),
                    Figure(ints(group.records, "width").max().map(Value.int) ?? .null),
                    Figure(.int(ints(group.records, "stock").reduce(0, +))),
                ])
        }
    }

    @Test func `figures are those of a plain loop, in one group and in several`() async throws {
        let node = try await node()
        var transaction = Transaction()
        for number in 0..<300 {
            let id = "s\(number)"
            transaction.set(
                "sale", id,
                [
                    "what": .text(["tea", "milk", "bread"][number % 3]),
                    "price": .decimal(
                        Decimal64(mantissa: Int64(number * 37 % 1_000), exponent: -2) ?? .zero),
                ])
            if number % 7 != 0 {
                transaction.set("sale", id, ["count": .int(Int64(number % 11 - 5))])
            }
            if number % 2 == 0 {
                transaction.set("sale", id, ["size": [.int(Int64(number)), "cm"]])
            }
            transaction.count("sale", id, "stock", by: .int(Int64(number % 4)))
        }
        try await node.commit(transaction)
        let conditions: [Condition?] = [
            nil, FieldName("what") == "tea", FieldName("count") > 2, Condition.any([]),
        ]
        for condition in conditions {
            let query = Query("sale", where: condition, sort: [SortKey("price")], limit: 3)
            var all = query
            (all.sort, all.limit) = ([], nil)
            let records = try await node.fetch(all)
            for fields in [[], ["what"], ["unit"], ["what", "unit"]] {
                let found = try await node.figures(Self.aggregates, of: query, by: fields)
                let expected = expected(records, by: fields)
                #expect(found.map(\.by).count == expected.count)
                for expected in expected {
                    let own = try #require(found.first { $0.by == expected.by })
                    for (place, aggregate) in Self.aggregates.enumerated() {
                        guard case .double(let mean) = expected.figures[place].value else {
                            #expect(
                                own.figures[place] == expected.figures[place], "\(aggregate)")
                            continue
                        }
                        let shown = try #require(Double(own.figures[place].value.description))
                        #expect(abs(shown - mean) < 1e-12)
                    }
                }
            }
        }
        let groups = try await node.figures([.count], of: Query("sale"), by: ["what"])
        #expect(groups.map(\.by) == [["bread"], ["milk"], ["tea"]])
        await node.stop()
    }

    @Test func `the ends of an index answer without the records`() async throws {
        let node = try await node()
        let ends: [Aggregate] = [.min("count"), .max("count"), .min("what")]
        #expect(
            try await node.figures(ends, of: Query("sale")).first?.figures.map(\.value)
                == [.null, .null, .null])
        for number in 1...9 {
            try await node.set("sale", "s\(number)", ["count": .int(Int64(number)), "what": "x"])
        }
        try await node.set("sale", "none", ["what": "a"])
        try await node.delete("sale", "s9")
        #expect(
            try await node.figures(ends, of: Query("sale")).first?.figures.map(\.value)
                == [1, 8, "a"])
        #expect(
            try await node.plan(of: Query("sale"), ends)
                == .index(field: "count", .clear, .order))
        #expect(try await node.plan(of: Query("sale"), [.count]) == .scan)
        #expect(try await node.plan(of: Query("sale"), [.min("price")]) == .scan)
        #expect(
            try await node.plan(of: Query("sale", where: FieldName("count") > 5), [.min("count")])
                == .index(field: "count", .clear, .range))
        await node.stop()
    }

    @Test func `a sum that does not fit is an error, and so is one that is not exact`()
        async throws
    {
        let node = try await node()
        for id in ["a", "b"] { try await node.set("sale", id, ["count": .int(.max)]) }
        await #expect(throws: LinnetError.schema(.overflow(field: "count"))) {
            try await node.figures([.sum("count")], of: Query("sale"))
        }
        let mean = try await node.figures([.average("count")], of: Query("sale"))
        #expect(mean.first?.figures.first?.value.description == "\(Int64.max)")
        #expect(mean.first?.figures.first?.isExact == true)
        for aggregate in [Aggregate.sum("what"), .sum("weight"), .average("mood"), .min("mood")] {
            await #expect(throws: LinnetError.self) {
                try await node.figures([aggregate], of: Query("sale"))
            }
        }
        await #expect(throws: LinnetError.schema(.unknownField("colour"))) {
            try await node.figures([.count], of: Query("sale"), by: ["colour"])
        }
        await node.stop()
    }

    @Test func `figures are observed`() async throws {
        let node = try await node()
        var figures = try await node.observeFigures([.sum("count")], of: Query("sale"))
            .makeAsyncIterator()
        #expect(try await figures.next()?.first?.figures.first?.value == 0)
        try await node.set("sale", "a", ["count": 2])
        #expect(try await figures.next()?.first?.figures.first?.value == 2)
        try await node.set("sale", "b", ["count": 3])
        #expect(try await figures.next()?.first?.figures.first?.value == 5)
        await node.stop()
        #expect(try await figures.next() == nil)
    }
}
