import Linnet
import Testing

/// The examples of the articles about the kinds of field, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct KindExampleTests {
    private let household = Household()

    @Test func `lww: each field for itself, the latest value`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-lww.md
        let medicine = Collection(
            id: 2_000, name: "medicine", scope: "home",
            fields: [
                Field(id: 1, name: "name", type: .text),
                Field(id: 2, name: "isActive", type: .bool),
            ])
        // shown until here
        let laptop = try await household.laptop(medicine)
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-lww.md

        // Apart, both write the name; the watch does so later. The laptop writes one more field.
        try await laptop.set("medicine", "m1", ["name": "Aspirin", "isActive": true])
        // shown until here
        await household.tick()
        // shown in Sources/Linnet/Linnet.docc/kind-lww.md
        try await watch.set("medicine", "m1", ["name": "Aspirin 100"])

        // Together again, both show the later name, and what only one of them wrote.
        try await watch.start(.loopback)
        try await watch.sync()
        let name = try await laptop.get("medicine", "m1")?["name"]  // "Aspirin 100"
        let isActive = try await watch.get("medicine", "m1")?["isActive"]  // true
        // shown until here
        #expect(name == "Aspirin 100" && isActive == true)
        try await end(laptop, watch)
    }

    @Test func `group: values that belong together, the latest as a whole`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-group.md
        let medicine = Collection(
            id: 2_000, name: "medicine", scope: "home",
            fields: [
                Field(id: 1, name: "dosage", group: [.init("amount", .int), .init("unit", .text)])
            ])
        // shown until here
        let laptop = try await household.laptop(medicine)
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-group.md

        // Apart, one dosage is written on each device.
        try await laptop.set("medicine", "m1", ["amount": 500, "unit": "mg"])
        // shown until here
        await household.tick()
        // shown in Sources/Linnet/Linnet.docc/kind-group.md
        try await watch.set("medicine", "m1", ["amount": 1, "unit": "g"])

        // One of them stands on both, never 500 g.
        try await watch.start(.loopback)
        try await watch.sync()
        let dosage = try await laptop.get("medicine", "m1")?["dosage"]  // [1, "g"]
        let unit = try await laptop.get("medicine", "m1")?["dosage.unit"]  // "g"
        // shown until here
        #expect(dosage == [1, "g"] && unit == "g")
        try await end(laptop, watch)
    }

    @Test func `mv: no concurrent value is lost`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-mv.md
        let people = Collection(
            id: 2_000, name: "people", scope: "home",
            fields: [Field(id: 1, name: "allergy", kind: .mv, type: .text)])
        // shown until here
        let laptop = try await household.laptop(people)
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-mv.md

        // Apart, each device writes something else.
        try await laptop.set("people", "ada", ["allergy": "penicillin"])
        // shown until here
        await household.tick()
        // shown in Sources/Linnet/Linnet.docc/kind-mv.md
        try await watch.set("people", "ada", ["allergy": "latex"])

        // Both values stand, the later one first, and the record says that there is a conflict.
        try await watch.start(.loopback)
        try await watch.sync()
        let both = try await watch.get("people", "ada")
        let values = both?["allergy"]  // ["latex", "penicillin"]
        let conflicts = both?.conflicts  // ["allergy"]

        // Whoever has seen both settles it.
        try await watch.set("people", "ada", ["allergy": "latex and penicillin"])
        let settled = try await watch.get("people", "ada")?["allergy"]  // "latex and penicillin"
        // shown until here
        #expect(values == ["latex", "penicillin"] && conflicts == ["allergy"])
        #expect(settled == "latex and penicillin")
        #expect(try await watch.get("people", "ada")?.conflicts == [])
        try await end(laptop, watch)
    }

    @Test func `tally: what happened once counts once`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-tally.md
        let boxes = Collection(
            id: 2_000, name: "boxes", scope: "home",
            fields: [Field(id: 1, name: "pills", kind: .tally, type: .int)])
        // shown until here
        let laptop = try await household.laptop(boxes)
        // shown in Sources/Linnet/Linnet.docc/kind-tally.md

        // Thirty pills are counted. Then the watch goes offline.
        try await laptop.recount("boxes", "m1", "pills", to: 30)
        // shown until here
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-tally.md

        // The morning's dose is logged twice, the evening's once.
        try await laptop.count("boxes", "m1", "pills", by: -1, key: "2026-11-21 morning")
        try await watch.count("boxes", "m1", "pills", by: -1, key: "2026-11-21 morning")
        try await watch.count("boxes", "m1", "pills", by: -1, key: "2026-11-21 evening")

        // Two doses are gone.
        try await watch.start(.loopback)
        try await watch.sync()
        let pills = try await laptop.get("boxes", "m1")?["pills"]  // 28
        // shown until here
        #expect(pills == 28)
        try await end(laptop, watch)
    }

    @Test func `max: what was raised stays raised`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-max.md
        let alarms = Collection(
            id: 2_000, name: "alarms", scope: "home",
            fields: [
                Field(id: 1, name: "seen", kind: .max, type: .bool),
                Field(id: 2, name: "loudest", kind: .max, type: .int),
            ])
        // shown until here
        let laptop = try await household.laptop(alarms)
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-max.md

        // Apart, the laptop says that the alarm was seen; the watch, later, that it was not.
        try await laptop.set("alarms", "smoke", ["seen": true, "loudest": 70])
        // shown until here
        await household.tick()
        // shown in Sources/Linnet/Linnet.docc/kind-max.md
        try await watch.set("alarms", "smoke", ["seen": false, "loudest": 85])

        // What was raised stays raised.
        try await watch.start(.loopback)
        try await watch.sync()
        let seen = try await watch.get("alarms", "smoke")?["seen"]  // true
        let loudest = try await laptop.get("alarms", "smoke")?["loudest"]  // 85

        // A smaller value is written and does not show; the receipt says why.
        let receipt = try await laptop.set("alarms", "smoke", ["loudest": 60])
        let isHidden = receipt.outcome != .visible  // true
        // shown until here
        #expect(seen == true && loudest == 85 && isHidden)
        #expect(try await laptop.get("alarms", "smoke")?["loudest"] == 85)
        try await end(laptop, watch)
    }

    @Test func `min: the smallest that anybody wrote`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-min.md
        let finds = Collection(
            id: 2_000, name: "finds", scope: "home",
            fields: [
                Field(id: 1, name: "price", kind: .min, type: .int),
                Field(id: 2, name: "what", type: .text),
            ])
        // shown until here
        let laptop = try await household.laptop(finds)
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-min.md

        // Apart, each device notes what it saw.
        try await laptop.set("finds", "kettle", ["what": "kettle", "price": 40])
        try await watch.set("finds", "kettle", ["price": 25])

        // The smaller one shows, and a larger one never does again.
        try await watch.start(.loopback)
        try await watch.sync()
        try await laptop.set("finds", "kettle", ["price": 30])
        let price = try await laptop.get("finds", "kettle")?["price"]  // 25
        // shown until here
        #expect(price == 25)
        try await end(laptop, watch)
    }

    @Test func `file: the content beside the record`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-file.md
        let pictures = Collection(
            id: 2_000, name: "pictures", scope: "home",
            fields: [
                Field(id: 1, name: "title", type: .text),
                Field(id: 2, name: "image", kind: .file),
            ])
        // shown until here
        let laptop = try await household.laptop(pictures)
        let watch = try await household.watch(of: laptop)
        let path = #filePath
        // shown in Sources/Linnet/Linnet.docc/kind-file.md

        // The laptop cuts, seals and keeps the content, and writes the record.
        try await laptop.attach(path, to: "image", of: "pictures", "tea", mediaType: "image/png")

        // The watch hears of the file with the record.
        try await watch.start(.loopback)
        try await watch.sync()
        let file = try await watch.attachment("image", of: "pictures", "tea")

        // It fetches the content when it reads the first piece.
        var count = 0
        for try await piece in try await watch.content(of: "image", in: "pictures", "tea") {
            count += piece.count
        }
        // shown until here
        #expect(count > 1_000 && file?.byteCount == UInt64(count))
        #expect(file?.name == "KindExampleTests.swift" && file?.mediaType == "image/png")
        try await end(laptop, watch)
    }

    @Test func `set: an addition wins over a removal that had not seen it`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-set.md
        let medicine = Collection(
            id: 2_000, name: "medicine", scope: "home",
            fields: [Field(id: 1, name: "times", kind: .set, type: .text)])
        // shown until here
        let laptop = try await household.laptop(medicine)
        // shown in Sources/Linnet/Linnet.docc/kind-set.md

        try await laptop.add("medicine", "m1", "times", "morning")
        try await laptop.add("medicine", "m1", "times", "noon")
        // shown until here
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-set.md

        // Apart, the watch removes both, while the laptop adds one of them again, and a third.
        try await watch.remove("medicine", "m1", "times", "morning")
        try await watch.remove("medicine", "m1", "times", "noon")
        try await laptop.add("medicine", "m1", "times", "morning")
        try await laptop.add("medicine", "m1", "times", "evening")

        // What was added without knowledge of the removal is there.
        try await watch.start(.loopback)
        try await watch.sync()
        let times = try await watch.get("medicine", "m1")?["times"]  // ["evening", "morning"]
        // shown until here
        #expect(times == ["evening", "morning"])
        try await end(laptop, watch)
    }
}

/// Both devices show the same; then they stop.
func end(_ laptop: Node, _ watch: Node) async throws {
    #expect(try await laptop.digest() == watch.digest())
    await laptop.stop()
    await watch.stop()
}
