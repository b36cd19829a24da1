import LinnetWire
import Testing

@testable import LinnetCompanion

/// What a shell that goes on without the app puts into the context.
@Suite struct ContextBesideAppTests {
    private func add(_ name: String, _ number: Int64) -> CompanionInput {
        .addToContext(name, .int(number), importance: .plan)
    }

    @Test func `a value needs no app, and stands beside what the app put there`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.phone, .updateApplicationContext(["own": .int(1)], importance: .plan))
        try ends.run()
        try ends.restart(.phone)
        #expect(ends.phone.machine.activationState == .notActivated)
        try ends.link()
        try ends.give(.phone, add("faces", 2))
        try ends.run()
        #expect(ends.watch.contexts.last == ["own": .int(1), "faces": .int(2)])
        #expect(ends.phone.machine.activationState == .notActivated)
    }

    @Test func `the same value is not sent again`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.phone, add("faces", 2))
        try ends.run()
        try ends.give(.phone, add("faces", 2))
        try ends.run()
        #expect(ends.watch.contexts == [["faces": .int(2)]])
    }

    @Test func `the app's own update takes the place of all of it`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.phone, add("faces", 2))
        try ends.run()
        try ends.ask(.phone, .updateApplicationContext(["own": .int(3)], importance: .plan))
        try ends.run()
        #expect(ends.watch.contexts.last == ["own": .int(3)])
    }

    @Test func `without a watch it is refused, and nothing changes`() throws {
        var ends = try TwoEnds()
        #expect(throws: CompanionError.deviceNotPaired) { try ends.give(.phone, add("faces", 2)) }
        #expect(ends.phone.machine.applicationContext == PropertyDictionary())
        #expect(throws: CompanionError.deviceNotPaired) { try ends.give(.watch, add("faces", 2)) }
    }
}
