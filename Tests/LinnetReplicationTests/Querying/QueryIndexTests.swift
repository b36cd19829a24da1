import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

struct QueryIndexTests {
    private func comparison(_ life: IndexedLife) -> Condition {
        let number = Value.int(Int64(life.below(7)))
        return switch life.below(12) {
        case 0:
            .test(
                "name", life.pick([.equal, .less, .lessOrEqual, .greater, .greaterOrEqual]),
                life.text())
        case 1: .test("name", .beginsWith, life.text())
        case 2: .test("secret", life.pick([.equal, .notEqual, .beginsWith]), life.text())
        case 3: .test("price", life.pick(Comparison.allCases), life.pick([life.price(), number]))
        case 4:
            .test(
                life.pick(["stock", "peak"]), life.pick(Comparison.allCases),
                life.pick([life.price(), number]))
        case 5: .test(life.pick(["tags", "name"]), .contains, life.text())
        case 6: .test("shelf", life.pick(Comparison.allCases), number)
        case 7: .test("day", life.pick(Comparison.allCases), .date(Int64(life.below(3))))
        case 8: .test("hidden", .contains, number)
        case 9: .test("weight", .equal, life.pick([life.price(), number]))
        case 10: .isNull(life.pick(["name", "secret", "peak", "stock", "shelf", "place", "day"]))
        default: .test("plain", life.pick(Comparison.allCases), number)
        }
    }

    private func query(_ life: IndexedLife) -> Query {
        var query = Query("item")
        switch life.below(6) {
        case 0: break
        case 1, 2: query.condition = comparison(life)
        case 3: query.condition = .any([comparison(life), comparison(life)])
        case 4: query.condition = .all([comparison(life), .not(comparison(life))])
        default: query.condition = .all((0...life.below(3)).map { _ in comparison(life) })
        }
        for _ in 0..<life.below(3) {
            let names = ["name", "price", "stock", "shelf", "place", "plain", "id", "day", "peak"]
            query.sort.append(SortKey(life.pick(names), descending: life.below(2) == 0))
        }
        query.limit = life.pick([nil, 0, 1, 3, 7, 100])
        query.offset = life.pick([0, 0, 0, 1, 4])
        return query
    }

    @Test(arguments: UInt64(1)...4)
    func `an index finds what reading everything finds`(seed: UInt64) throws {
        let life = try IndexedLife(seed: seed)
        var uses = 0
        for _ in 0..<5 {
            for _ in 0..<20 { try life.step() }
            for device in life.devices {
                for _ in 0..<12 {
                    let query = query(life)
                    let plan = try device.plan(of: query)
                    if case .index = plan { uses += 1 }
                    #expect(
                        try device.found(by: query) == device.scanned(for: query),
                        "\(query) \(String(describing: plan))")
                    let count = try device.replica?.reader.count(matching: query)
                    var all = query
                    (all.limit, all.offset) = (nil, 0)
                    #expect(try count == device.scanned(for: all).count, "\(query)")
                }
            }
        }
        #expect(uses > 50)
        try life.meet()
    }

    @Test(arguments: UInt64(20)...22)
    func `pages one after the other are the whole`(seed: UInt64) throws {
        let life = try IndexedLife(seed: seed)
        for _ in 0..<120 { try life.step() }
        let device = life.devices[0]
        for _ in 0..<40 {
            var query = query(life)
            query.offset = 0
            query.limit = nil
            let whole = try device.scanned(for: query)
            query.limit = 1 + life.below(4)
            var found: [RecordView] = []
            repeat {
                guard let page = try device.replica?.reader.page(matching: query) else { break }
                #expect(page.records.count == query.limit || page.next == nil)
                found += page.records
                query.after = page.next
            } while query.after != nil
            #expect(found == whole, "\(query)")
        }
    }

    @Test(arguments: UInt64(30)...31)
    func `whatever is written between pages, what stays as it is comes once`(seed: UInt64) throws {
        let life = try IndexedLife(seed: seed)
        life.evicts = false
        for _ in 0..<100 { try life.step() }
        let device = life.devices[0]
        for descending in [false, true] {
            var query = Query(
                "item", sort: [SortKey("price", descending: descending), SortKey("name")], limit: 3)
            var steady = try device.scanned(for: Query("item"))
            var met: [RecordID] = []
            repeat {
                guard let page = try device.replica?.reader.page(matching: query) else { break }
                met += page.records.map(\.id)
                query.after = page.next
                try life.step()
                let now = try device.scanned(for: Query("item"))
                steady.removeAll { !now.contains($0) }
            } while query.after != nil
            #expect(!met.isEmpty)
            for view in steady {
                #expect(met.filter { $0 == view.id }.count == 1, "\(view.id)")
            }
        }
    }

    @Test func `a place belongs to its collection and order`() throws {
        let life = try IndexedLife(seed: 40)
        for _ in 0..<60 { try life.step() }
        let device = life.devices[0]
        var query = Query("item", sort: [SortKey("name")], limit: 1)
        let next = try #require(try device.replica?.reader.page(matching: query).next)
        query.after = next
        #expect(try device.found(by: query).count == 1)
        for sort in [[], [SortKey("price")], [SortKey("name", descending: true)]] {
            query.sort = sort
            #expect(throws: ReplicaError.schema(.badCursor)) { try device.found(by: query) }
        }
        query.sort = [SortKey("name")]
        for text in ["", "x", "!", next + "A", String(next.dropLast(4))] {
            query.after = text
            #expect(throws: ReplicaError.schema(.badCursor)) { try device.found(by: query) }
        }
    }

    @Test func `the plan says which index is used, and for what`() throws {
        let life = try IndexedLife(seed: 50)
        let device = life.devices[0]
        func plan(_ condition: Condition?, _ sort: [SortKey] = [], limit: Int? = nil) throws
            -> QueryPlan?
        {
            try device.plan(of: Query("item", where: condition, sort: sort, limit: limit))
        }
        let name = FieldName("name")
        #expect(try plan(nil) == .scan)
        #expect(try plan(nil, limit: 2) == .identifiers)
        #expect(try plan(name == .text("a")) == .index(field: "name", .clear, .exact))
        #expect(try plan(name.begins(with: "a")) == .index(field: "name", .clear, .range))
        #expect(try plan(name.contains(.text("a"))) == .scan)
        #expect(
            try plan(FieldName("secret") == .text("a")) == .index(field: "secret", .blind, .exact))
        #expect(try plan(FieldName("secret") > .text("a")) == .scan)
        #expect(
            try plan(FieldName("plain") == .int(1) && FieldName("price") > .int(2))
                == .index(field: "price", .clear, .range))
        #expect(try plan(name == .text("a") || name == .text("b")) == .scan)
        #expect(try plan(nil, [SortKey("price")]) == .scan)
        #expect(
            try plan(nil, [SortKey("price")], limit: 9) == .index(field: "price", .clear, .order))
        #expect(try plan(nil, [SortKey("shelf")], limit: 9) == .scan)
        #expect(
            try plan(FieldName("hidden").contains(.int(1)))
                == .index(field: "hidden", .blind, .exact))
        #expect(try plan(name == .int(1)) == .scan)
    }
}
