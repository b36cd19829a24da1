import LinnetSimulator
import Testing

/// What an application sees when its own simulation fails.
@Suite(.serialized)
struct SimulateTests {
    private static let notes = Collection(
        id: 2_000, name: "notes", scope: "notes",
        fields: [
            Field(id: 1, name: "text", type: .text),
            Field(
                id: 2, name: "place",
                group: [Field.Member("east", .int), Field.Member("north", .int)]),
        ])

    @Test func `a broken invariant of the application is told with seed, words and story`() throws {
        let schema = try Schema(version: 1, collections: [Self.notes])
        let failure = #expect(throws: SimulationFailure.self) {
            try simulate(
                schema: schema, seeds: 5...5, devices: 2...2, days: 1...1, store: .model
            ) { random, app in
                app.set(Self.notes, "n\(random.below(3))", ["text": .text("x"), "north": .int(4)])
            } invariant: { replica in
                replica.records(Self.notes).isEmpty ? nil : "there is a note"
            }
        }
        #expect(failure?.seed == 5)
        #expect(failure?.invariant == "app")
        #expect(failure?.message == "there is a note")
        #expect(failure?.story.contains { $0.contains("set 1") } == true)
        #expect(failure?.description.hasPrefix("seed 5 broke app: there is a note\n  ") == true)
    }

    @Test(arguments: [
        ("", "text", "'' is no legal identifier of a record"),
        ("a", "txt", "notes a: unknownField(\"txt\")"),
    ])
    func `a transaction that cannot be written is refused in words`(
        id: String, field: String, words: String
    ) throws {
        let schema = try Schema(version: 1, collections: [Self.notes])
        let failure = #expect(throws: SimulationFailure.self) {
            try simulate(schema: schema, seeds: 1...1, store: .model) { _, app in
                app.set(Self.notes, id, [field: .text("x")])
            }
        }
        #expect(failure?.invariant == "operations")
        #expect(failure?.message == words)
    }

    private static let lists = Collection(
        id: 2_001, name: "lists", scope: "notes",
        fields: [
            Field(id: 1, name: "label", kind: .mv, type: .text),
            Field(id: 2, name: "pieces", kind: .tally, type: .int),
            Field(id: 3, name: "marks", kind: .set, type: .text),
            Field(id: 4, name: "body", kind: .text),
        ])
    private static let entries = Collection.log(
        id: 2_002, name: "entries", scope: .always("notes"),
        fields: [Field(id: 1, name: "text", type: .text)])

    @Test func `an application with every kind of field is simulated`() throws {
        let schema = try Schema(version: 1, collections: [Self.notes, Self.lists, Self.entries])
        try simulate(schema: schema, seeds: 1...3, days: 1...2, store: .model) { random, app in
            let id = "l\(random.below(2))"
            switch random.below(9) {
            case 0: app.set(Self.lists, id, ["label": .text("a\(random.below(9))")])
            case 1: app.count(Self.lists, id, "pieces", key: "k\(random.below(4))", .int(2))
            case 2: app.recount(Self.lists, id, "pieces", .int(Int64(random.below(9))))
            case 3: app.add(Self.lists, id, "marks", .text("red"))
            case 4: app.remove(Self.lists, id, "marks", .text("red"))
            case 5: app.edit(Self.lists, id, "body", at: random.below(99), inserting: "word ")
            case 6: app.edit(Self.lists, id, "body", at: random.below(99), deleting: 3)
            case 7: app.insert(Self.entries, "e\(random.below(50))", ["text": [.text("x")]])
            default:
                if random.chance(1, in: 2) {
                    app.delete(Self.lists, id)
                } else {
                    app.restore(Self.lists, id)
                }
            }
        }
    }

    @Test(arguments: [-1, 0])
    func `an edit before the start of a text is refused in words`(place: Int) throws {
        let schema = try Schema(version: 1, collections: [Self.lists])
        let failure = #expect(throws: SimulationFailure.self) {
            try simulate(schema: schema, seeds: 1...1, store: .model) { _, app in
                app.edit(Self.lists, "a", "body", at: place, deleting: -1 - place)
            }
        }
        #expect(failure?.message == "lists a: there is no place \(place), \(-1 - place)")
    }

    @Test func `a collection of another schema is refused`() throws {
        let schema = try Schema(version: 1, collections: [])
        let failure = #expect(throws: SimulationFailure.self) {
            try simulate(schema: schema, seeds: 1...1, store: .model) { _, app in
                app.delete(Self.notes, "a")
            }
        }
        #expect(failure?.message == "the schema has no collection notes")
    }
}
