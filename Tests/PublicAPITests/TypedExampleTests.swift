import Foundation
import Linnet
import Testing

// shown in Sources/Linnet/Linnet.docc/schemas.md
struct Medicine: Codable, Sendable, Identifiable {
    enum Form: String, Codable, CaseIterable, FieldValue { case tablet, drops }
    var id: String
    var name = "", notes = ""
    var strength: Decimal64?
    var form: Form?
    var stock = 0
    var tags: Set<String> = []
    var started: CalendarDay?
    var isActive = true
}

let medicines = TypedCollection<Medicine>(
    id: 2_000, name: "medicine", scope: "medicines",
    fields: [
        .lww(1, "name", \.name), .text(2, "notes", \.notes), .lww(3, "strength", \.strength),
        .lww(4, "form", \.form), .tally(5, "stock", \.stock), .set(6, "tags", \.tags),
        .lww(7, "started", \.started), .lww(8, "isActive", \.isActive),
    ])
// shown until here

// shown in Sources/Linnet/Linnet.docc/schemas.md
struct Visit: Codable, Sendable, Equatable {
    struct Place: Codable, Sendable, Equatable {
        var room = 0
        var house = ""
    }
    var number: String
    var place = Place()
    var medicine: String?
    var at: UnixInstant?
}

let visits = TypedCollection<Visit>(
    id: 2_001, name: "visit", scope: "medicines", identifiedBy: \.number, named: "number",
    fields: [
        .group(1, "place", \.place, [.init("room", \.room), .init("house", \.house)]),
        .reference(2, "medicine", \.medicine, to: 2_000), .lww(3, "at", \.at),
    ])

struct Reading: Codable, Sendable, Identifiable {
    var id: String
    var value: Double
}

let readings = TypedCollection<Reading>(
    id: 2_002, name: "reading", scope: "readings", isLog: true,
    fields: [.lww(1, "value", \.value)])
// shown until here

@Suite(.timeLimit(.minutes(5)))
struct TypedExampleTests {
    private let directory = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"

    private func node() async throws -> Node {
        try await Node.create(
            at: directory, name: "Laptop", kind: .laptop,
            schema: Schema(
                version: 1,
                collections: [medicines.collection, visits.collection, readings.collection]))
    }

    private func close(_ node: Node) async {
        await node.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    @Test func `an application type of eight fields takes at most twenty lines`() throws {
        let example = try ShownCode.fences(of: "Sources/Linnet/Linnet.docc/schemas.md").first
        let lines = try #require(example).filter { !$0.isEmpty }
        #expect(medicines.collection.fields.count == 8)
        #expect(lines.contains { $0.contains("struct Medicine") })
        #expect(lines.contains { $0.contains("TypedCollection<Medicine>") })
        #expect(lines.count <= 20)
    }

    @Test func `the values of the article are saved, read and changed`() async throws {
        let folder = directory
        // shown in Sources/Linnet/Linnet.docc/schemas.md
        let laptop = try await Node.create(
            at: folder, name: "Laptop", kind: .laptop,
            schema: Schema(version: 1, collections: [medicines.collection, visits.collection]))

        // A value is written as a whole only once; later what differs is.
        try await laptop.save(Medicine(id: "m1", name: "Aspirin", stock: 30), in: medicines)
        try await laptop.update(medicines, "m1") { medicine in
            medicine.stock -= 2
            medicine.tags.insert("pain")
        }

        // A form that was opened a while ago: the renaming meanwhile is not taken back.
        let old = try await laptop.fetch(medicines, "m1")
        try await laptop.set("medicine", "m1", ["name": "Aspirin 100"])
        if let old {
            var new = old
            new.isActive = false
            try await laptop.save(new, in: medicines, changedFrom: old)
        }
        let name = try await laptop.fetch(medicines, "m1")?.name  // "Aspirin 100"
        // shown until here
        #expect(name == "Aspirin 100")
        let read = try await laptop.fetch(medicines, "m1")
        #expect(read?.stock == 28 && read?.tags == ["pain"] && read?.isActive == false)
        await close(laptop)
    }

    @Test func `a value is saved, read and updated in the way of each field's kind`() async throws {
        let node = try await node()
        var aspirin = Medicine(id: "m1", name: "Aspirin", tags: ["pain", "old"])
        aspirin.stock = 30
        aspirin.form = .tablet
        aspirin.started = CalendarDay("2026-11-21")
        try await node.save(aspirin, in: medicines)
        var read = try #require(try await node.fetch(medicines, "m1"))
        #expect(read.stock == 30 && read.form == .tablet && read.tags == ["pain", "old"])
        #expect(read.started == CalendarDay("2026-11-21") && read.strength == nil && read.isActive)
        #expect(try await node.save(read, in: medicines).operations == 0, "nothing changed")

        let receipt = try await node.update(medicines, "m1") { medicine in
            medicine.stock -= 2
            medicine.tags = ["pain", "new"]
            medicine.notes = "with water"
            medicine.form = nil
        }
        #expect(receipt.operations == 5, "a set of the form, one count, two tags, one text")
        read = try #require(try await node.fetch(medicines, "m1"))
        #expect(read.stock == 28 && read.tags == ["pain", "new"] && read.notes == "with water")
        #expect(read.form == nil)
        #expect(
            try await node.history("medicine", "m1", field: "stock").map(\.action)
                == [.count, .recount])
        await #expect(throws: LinnetError.noSuchRecord("none")) {
            try await node.update(medicines, "none") { _ in }
        }
        await close(node)
    }

    @Test func `saving what was changed from an old value takes back nothing of others`()
        async throws
    {
        let node = try await node()
        try await node.save(Medicine(id: "a", name: "A", stock: 10), in: medicines)
        let old = try #require(try await node.fetch(medicines, "a"))
        try await node.set("medicine", "a", ["name": "renamed"])
        try await node.count("medicine", "a", "stock", by: 5)
        var new = old
        new.stock -= 1
        try await node.save(new, in: medicines, changedFrom: old)
        let read = try #require(try await node.fetch(medicines, "a"))
        #expect(read.name == "renamed" && read.stock == 14)
        await close(node)
    }

    @Test func `a flag of a type stays raised, and its smallest number small`() async throws {
        struct Alarm: Codable, Sendable, Identifiable {
            var id: String
            var seen = false
            var least = 0
        }
        let alarms = TypedCollection<Alarm>(
            id: 2_003, name: "alarm", scope: "alarms",
            fields: [.max(1, "seen", \.seen), .min(2, "least", \.least)])
        let node = try await Node.create(
            at: directory, name: "Laptop", kind: .laptop,
            schema: Schema(version: 1, collections: [alarms.collection]))
        try await node.save(Alarm(id: "a", seen: true, least: 3), in: alarms)
        try await node.save(Alarm(id: "a", seen: false, least: 7), in: alarms)
        var read = try #require(try await node.fetch(alarms, "a"))
        #expect(read.seen && read.least == 3)
        try await node.update(alarms, "a") { $0.least = -1 }
        read = try #require(try await node.fetch(alarms, "a"))
        #expect(read.seen && read.least == -1)
        await close(node)
    }

    @Test func `a condition names fields by their properties`() async throws {
        let node = try await node()
        for number in 1...4 {
            try await node.save(
                Medicine(id: "m\(number)", name: "M\(number)", stock: number), in: medicines)
        }
        let found = try await node.fetch(
            medicines, where: medicines[\.stock] >= 2 && medicines[\.name] != "M3",
            sort: [SortKey("stock", descending: true)])
        #expect(found.map(\.id) == ["m4", "m2"])
        await #expect(throws: LinnetError.self) {
            try await node.fetch(medicines, where: medicines[\.id.count] == 2)
        }
        await close(node)
    }

    @Test func `groups, references, logs and blanks are read and written`() async throws {
        let node = try await node()
        try await node.save(Medicine(id: "a"), in: medicines)
        var visit = Visit(number: "1", place: .init(room: 3, house: "H"), medicine: "a")
        try await node.save(visit, in: visits)
        #expect(try await node.fetch(visits, "1") == visit)
        visit.place.room = 4
        visit.at = UnixInstant(milliseconds: 5)
        #expect(try await node.save(visit, in: visits).operations == 2)
        #expect(try await node.get("visit", "1")?["room"] == 4)
        try await node.set("visit", "2", ["room": 7])
        #expect(
            try await node.fetch(visits, "2")
                == Visit(number: "2", place: .init(room: 7, house: ""), medicine: nil))
        try await node.save(Reading(id: "r", value: 1.5), in: readings)
        #expect(try await node.fetch(readings, "r")?.value == 1.5)
        await #expect(throws: LinnetError.self) {
            try await node.save(Reading(id: "r", value: 2), in: readings)
        }
        await close(node)
    }

    @Test func `a transaction reads what it wrote and leaves nothing after an error`() async throws
    {
        struct Stop: Error {}
        let node = try await node()
        try await node.save(Medicine(id: "a", name: "A", stock: 1), in: medicines)
        let digest = try await node.digest()
        await #expect(throws: Stop.self) {
            try await node.transaction { tx in
                try tx.write { $0.set("medicine", "a", ["name": "B"]) }
                #expect(try tx.get("medicine", "a")?["name"] == "B")
                throw Stop()
            }
        }
        #expect(try await node.digest() == digest)
        let receipt = try await node.transaction(intent: "once") { tx in
            try tx.write { $0.count("medicine", "a", "stock", by: 2) }
            var medicine = try #require(try tx.fetch(medicines, "a"))
            #expect(medicine.stock == 3)
            medicine.name = "C"
            try tx.save(medicine, in: medicines)
            try tx.write { $0.set("medicine", "b", ["name": "B"]) }
            #expect(try tx.count(Query("medicine")) == 2)
            #expect(try tx.fetch(Query("medicine")).map(\.id) == ["a", "b"])
        }
        #expect(receipt.operations == 3 && receipt.batches == 1)
        let again = try await node.transaction(intent: "once") { _ in
            Issue.record("a transaction that was carried out before is not begun")
        }
        #expect(again.isRepeated && again.commit == receipt.commit)
        #expect(try await node.fetch(medicines, "a")?.name == "C")
        await close(node)
    }

    @Test func `an error inside a transaction cannot be passed over`() async throws {
        let node = try await node()
        await #expect(throws: LinnetError.self) {
            try await node.transaction { tx in
                try tx.write { $0.set("medicine", "a", ["name": "A"]) }
                try? tx.write { $0.count("medicine", "a", "name", by: 1) }
            }
        }
        #expect(try await node.list("medicine").isEmpty)
        try await node.set("medicine", "a", ["name": "A"])
        #expect(try await node.list("medicine").count == 1)
        let both = try await node.read { (node) throws(LinnetError) in
            (try node.count(Query("medicine")), try node.digest())
        }
        #expect(both.0 == 1)
        await close(node)
    }
}
