import LinnetSimulator
import Testing

struct PantryTests {
    @Test func `no tea is lost, and none is counted twice`() throws {
        let schema = try Schema(version: 1, collections: [Pantry.items.collection])
        try simulate(schema: schema, seeds: 1...3) { random, pantry in
            let key = "purchase-\(random.below(30))"
            pantry.count(Pantry.items.collection, "tea", "count", key: key, 1)
        } invariant: { replica in
            for (id, fields) in replica.records(Pantry.items.collection) {
                guard case .int(let count)? = fields["count"]?.first else { continue }
                if count > 30 { return "\(id): \(count) of 30 purchases" }
            }
            return nil
        }
    }
}
