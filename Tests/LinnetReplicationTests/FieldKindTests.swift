import LinnetCRDT
import LinnetReplication
import LinnetWire
import Testing

/// Every kind of field between real replicas; what each merge means is tested beside the kinds.
@Suite struct FieldKindTests {
    @Test func `one dose with two witnesses counts once, and two doses count twice`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.change([.recount(field: 1, .int(30))], fleet)
        try fleet.meet(phone, watch)
        try phone.change([.count(field: 1, key: "morning", amount: .int(-1))], fleet)
        try watch.change([.count(field: 1, key: "morning", amount: .int(-1))], fleet)
        try watch.change([.count(field: 1, key: "evening", amount: .int(-1))], fleet)
        try fleet.meet(phone, watch)
        #expect(try phone.shown(1) == .int(28) && watch.shown(1) == .int(28))
        try expectConverged([phone, watch])
    }

    @Test func `an addition outlives a removal that had not seen it`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.change([.add(field: 2, .text("a")), .add(field: 2, .text("b"))], fleet)
        try fleet.meet(phone, watch)
        try phone.change([.remove(field: 2, .text("a"))], fleet)
        try watch.change([.add(field: 2, .text("a")), .remove(field: 2, .text("b"))], fleet)
        try fleet.meet(phone, watch)
        #expect(try phone.shown(2) == .list([.text("a")]))
        try expectConverged([phone, watch])
    }

    @Test func `two people type into one text without mixing their words`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.change([.edit(field: 3, at: 0, deleting: 0, inserting: "take with food")], fleet)
        try fleet.meet(phone, watch)
        try phone.change([.edit(field: 3, at: 4, deleting: 0, inserting: " slowly")], fleet)
        try watch.change([.edit(field: 3, at: 4, deleting: 0, inserting: " always")], fleet)
        try fleet.meet(phone, watch)
        let text = try #require(try phone.shown(3)).description
        #expect(["take slowly always with food", "take always slowly with food"].contains(text))
        try expectConverged([phone, watch])
        #expect(throws: ReplicaError.schema(.badEdit(field: "body", length: 28))) {
            try phone.change([.edit(field: 3, at: 29, deleting: 0, inserting: "x")], fleet)
        }
    }

    @Test func `concurrent values stand side by side until one replaces them`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.change([.set(FieldWrite(4, .text("left")))], fleet)
        try watch.change([.set(FieldWrite(4, .text("right")))], fleet)
        try fleet.meet(phone, watch)
        let view = try #require(try phone.view(2_000))
        #expect(view.conflicts == [4])
        try watch.change([.set(FieldWrite(4, .text("both")))], fleet)
        try fleet.meet(phone, watch)
        #expect(try phone.shown(4) == .text("both"))
        try expectConverged([phone, watch])
    }

    @Test func `what was raised stays raised, and a smaller value is told as hidden`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.change([.set(FieldWrite(5, .int(9))), .set(FieldWrite(6, .date(20)))], fleet)
        try watch.change([.set(FieldWrite(5, .int(7))), .set(FieldWrite(6, .date(30)))], fleet)
        try fleet.meet(phone, watch)
        #expect(try phone.shown(5) == .int(9) && watch.shown(5) == .int(9))
        #expect(try phone.shown(6) == .date(20) && watch.shown(6) == .date(20))
        let receipt = try watch.commit(
            [Write(watch.key, [.set(FieldWrite(5, .int(8))), .set(FieldWrite(6, .date(20)))])],
            at: fleet.now)
        #expect(
            receipt.hidden?.named
                == [HiddenOperation(key: watch.key, field: 5, reason: .surpassed)])
        try fleet.meet(phone, watch)
        #expect(try phone.shown(5) == .int(9))
        let fates = try phone.replica?.reading.history(of: phone.key, field: 5, limit: 9).map(
            \.fate)
        #expect(fates?.filter { $0 == .shows }.count == 1 && fates?.count == 3)
        try expectConverged([phone, watch])
    }

    @Test func `a log keeps both records of one identifier and says so`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.log("one", fleet)
        try watch.log("two", fleet)
        try fleet.meet(phone, watch)
        #expect(try phone.view(2_001)?.isCollision == true)
        for device in [phone, watch] {
            #expect(
                device.events.contains { event in
                    if case .warning(.idCollision(let key)) = event {
                        key.collection == 2_001
                    } else {
                        false
                    }
                }, "\(device.name)")
        }
        try expectConverged([phone, watch])
        #expect(throws: ReplicaError.schema(.immutable("event"))) {
            try phone.log("three", fleet)
        }
        #expect(throws: ReplicaError.schema(.immutable("event"))) {
            try phone.commit([.delete(collection: 2_001, record: phone.id)], at: fleet.now)
        }
    }

    @Test func `what was deleted is found in the trash and comes back with late edits`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.change([.add(field: 2, .text("a"))], fleet)
        try fleet.meet(phone, watch)
        try phone.change([.delete], fleet)
        try watch.change([.add(field: 2, .text("late"))], fleet)
        try fleet.meet(phone, watch)
        let trash = try #require(try phone.trash().first)
        #expect(trash.editedAfter == [2])
        try watch.change([.restore], fleet)
        try fleet.meet(phone, watch)
        #expect(try phone.shown(2) == .list([.text("a"), .text("late")]))
        #expect(try phone.trash().isEmpty)
        try expectConverged([phone, watch])
    }

    @Test func `everything is there after a restart, and an intent counts once`() throws {
        let (fleet, phone, watch) = try pair()
        let dose = Write(phone.key, [.count(field: 1, key: "k", amount: .int(-1))])
        try phone.commit([dose], at: fleet.now, intent: [1])
        try phone.change(
            [
                .add(field: 2, .text("7")), .rewrite(field: 3, "text"),
                .set(FieldWrite(4, .text("yes"))),
            ], fleet)
        let before = try phone.digest()
        let mark = try #require(phone.mark)
        phone.crash()
        try phone.open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
        #expect(try phone.digest() == before)
        #expect(try phone.commit([dose], at: fleet.now, intent: [1]).repeated)
        #expect(try phone.digest() == before)
        try fleet.meet(phone, watch)
        try expectConverged([phone, watch])
    }

    private func pair() throws -> (Fleet, Device, Device) {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["phone", "watch"])
        fleet.disconnectAll()
        return (fleet, devices[0], devices[1])
    }
}
