import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Two devices that write what comes to them into a collection with an index on nearly every field.
final class IndexedLife {
    static let collection: UInt32 = 2_000

    let fleet = Fleet()
    let devices: [Device]
    private var random: UInt64
    private var version: UInt32 = 1
    private var isIndexed = true
    /// Whether devices let go of records, which come back later.
    var evicts = true

    init(seed: UInt64) throws {
        random = seed
        fleet.schema = try Self.schema(version: 1, isIndexed: true)
        devices = try fleet.group(["a", "b"])
        for device in devices { device.hurry() }
    }

    static func schema(version: UInt32, isIndexed: Bool) throws -> Schema {
        let clear: FieldIndex? = isIndexed ? .clear : nil
        let blind: FieldIndex? = isIndexed ? .blind : nil
        return try Schema(
            version: version,
            collections: [
                Collection(
                    id: collection, name: "item", scope: .divided("part", by: .segment),
                    fields: [
                        Field(id: 1, name: "name", type: .text, index: clear),
                        Field(id: 2, name: "secret", type: .text, index: blind),
                        Field(id: 3, name: "price", type: .decimal, index: clear),
                        Field(id: 4, name: "stock", kind: .tally, type: .int, index: clear),
                        Field(id: 5, name: "tags", kind: .set, type: .text, index: clear),
                        Field(id: 6, name: "shelf", kind: .mv, type: .int, index: clear),
                        Field(id: 7, name: "place", kind: .order, index: clear),
                        Field(id: 8, name: "day", type: .date, index: blind),
                        Field(id: 9, name: "plain", type: .int),
                        Field(id: 10, name: "hidden", kind: .set, type: .int, index: blind),
                        Field(id: 11, name: "weight", kind: .tally, type: .decimal, index: blind),
                        Field(id: 12, name: "peak", kind: .max, type: .int, index: clear),
                    ])
            ])
    }

    func below(_ bound: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: (random >> 33) % UInt64(bound))
    }

    func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// One thing that happens to the devices.
    func step() throws {
        fleet.advance(Int64(below(50)))
        let device = pick(devices)
        switch below(45) {
        case 0: try meet()
        case 1: try restart(device, closing: below(2) == 0)
        case 2 where below(3) == 0: try upgrade()
        case 3 where evicts && below(3) == 0: try evict(from: device)
        case 4:
            fleet.advance(2_000)
            device.perform(device.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
        case 5:
            try device.requests([.move(key(), field: 7, to: below(2) == 0 ? .first : .last)], fleet)
        default: try write(on: device)
        }
    }

    private func key() throws -> RecordKey {
        RecordKey(
            collection: Self.collection,
            record: try #require(RecordID("\(pick(["x", "y"]))/\(below(14))")))
    }

    private func write(on device: Device) throws {
        let writes = try (0...below(3)).map { _ in Write(try key(), try change()) }
        try device.requests(writes.map(WriteRequest.changes), fleet)
    }

    private func change() throws -> [Change] {
        switch below(15) {
        case 0: [.delete]
        case 1: [.restore]
        case 2, 3: [.set(FieldWrite(1, text()))]
        case 4: [.set(FieldWrite(2, text()))]
        case 5: [.set(FieldWrite(3, price()))]
        case 6: [.count(field: 4, key: "k\(below(9))", amount: .int(Int64(below(9)) - 4))]
        case 7: [.add(field: 5, text()), .add(field: 10, .int(Int64(below(4))))]
        case 8: [.remove(field: 5, text()), .remove(field: 10, .int(Int64(below(4))))]
        case 9, 10: [.set(FieldWrite(6, .int(Int64(below(6)))))]
        case 11: [.set(FieldWrite(8, pick([.null, .date(Int64(below(3)))])))]
        case 12: [.count(field: 11, key: "k\(below(3))", amount: price(orNull: false))]
        case 13: [.set(FieldWrite(12, .int(Int64(below(20)))))]
        default: [.set(FieldWrite(9, .int(Int64(below(5)))))]
        }
    }

    func text() -> Value {
        .text(
            pick(["", "a", "ab", "abc", "b", "ä", String(repeating: "long ", count: 20)])
                + pick(["", "1", "2"]))
    }

    func price(orNull: Bool = true) -> Value {
        let prices = ["0", "-1.5", "2", "2.05", "10", "100"].compactMap(Decimal64.init(parsing:))
        return orNull && below(6) == 0 ? .null : .decimal(pick(prices))
    }

    func meet() throws {
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
    }

    private func restart(_ device: Device, closing: Bool) throws {
        if closing { try device.close() } else { device.crash() }
        try device.open(
            at: fleet.now, witness: .intact(try #require(device.mark)),
            schema: try Self.schema(version: version, isIndexed: isIndexed))
        device.hurry()
    }

    /// Adds or takes away all indexes, sometimes together with a change that folds anew.
    private func upgrade() throws {
        isIndexed.toggle()
        version += UInt32(below(2))
        for device in devices { try restart(device, closing: below(2) == 0) }
        if !isIndexed { try upgrade() }
    }

    private func evict(from device: Device) throws {
        let scope = "part/\(pick(["x", "y"]))"
        device.perform(
            try device.replica?.unsubscribe(from: [scope], force: true, at: fleet.now) ?? [])
        device.perform(try device.replica?.subscribe(to: [scope], at: fleet.now) ?? [])
        if below(2) == 0 { try meet() }
    }
}

extension Device {
    /// Folds after a few operations, one or two rows at a time.
    func hurry() {
        replica?.foldPolicy = FoldPolicy(
            work: 60, dirtyBytes: 1 << 16, cleanBytes: 4_000, rowsForWork: 0, rowsAtLeast: 1)
    }

    func requests(_ requests: [WriteRequest], _ fleet: Fleet) throws {
        guard let (_, effects) = try replica?.commit(requests: requests, at: fleet.now)
        else { throw Closed() }
        perform(effects)
    }

    func found(by query: Query) throws -> [RecordView] {
        try replica?.reader.records(matching: query) ?? []
    }

    func plan(of query: Query) throws -> QueryPlan? { try replica?.reader.plan(of: query) }

    /// What a query asks for, found by holding every record against it.
    func scanned(for query: Query) throws -> [RecordView] {
        guard let collection = replica?.schema.collection(id: IndexedLife.collection) else {
            throw Closed()
        }
        let bound = try BoundQuery(query, in: collection)
        let all = try replica?.reader.records(collection.id).filter {
            bound.admits($0) && $0.standing == .attached
        }
        return Array(bound.sorted(all ?? []).dropFirst(query.offset).prefix(query.limit ?? .max))
    }
}
