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
