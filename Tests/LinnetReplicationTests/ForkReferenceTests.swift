import LinnetCRDT
import LinnetReplication
import LinnetWire
import Testing

/// Two lives of one author go on; others write about the life that they know.
@Suite struct ForkReferenceTests {
    /// Elsewhere than the fork, what happens before it: another name of each branch every time.
    private static let rounds = 0..<4

    private struct Twins {
        let fleet: Fleet
        let author: Device
        let copy: Device
        /// Knows the author's life alone.
        let reader: Device
        /// Knows the copy's life alone.
        let stranger: Device

        var all: [Device] { [author, copy, reader, stranger] }

        /// Lets each of the twins write, and each of the others that has read one of them; then
        /// all meet, in one of several orders.
        func live(
            _ round: Int, author mine: [Change], copy theirs: [Change], reader seen: [Change],
            stranger other: [Change]
        ) throws {
            try author.change(mine, fleet)
            try copy.change(theirs, fleet)
            try fleet.meet(author, reader)
            try fleet.meet(copy, stranger)
            try reader.change(seen, fleet)
            try stranger.change(other, fleet)
            let order = round % 2 == 0 ? all : all.reversed()
            for _ in 0..<3 {
                for left in order.indices {
                    for right in order.indices where right > left {
                        try fleet.meet(order[left], order[right])
                    }
                }
            }
            try expectConverged(all)
        }
    }

    private func twins(_ round: Int, _ before: [Change]) throws -> Twins {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["a", "b", "c"])
        fleet.disconnectAll()
        try devices[0].change(before, fleet)
        for number in 0...round {
            try devices[0].change([.add(field: 2, .text("before \(number)"))], fleet)
            try devices[0].change([.remove(field: 2, .text("before \(number)"))], fleet)
        }
        for index in 1...2 { try fleet.meet(devices[0], devices[index]) }
        let copy = try fleet.clone(devices[0], blind: true)
        return Twins(
            fleet: fleet, author: devices[0], copy: copy, reader: devices[1], stranger: devices[2])
    }

    @Test(arguments: rounds)
    func `a removal takes away the element of the life that its writer knew`(round: Int) throws {
        let twins = try twins(round, [.add(field: 2, .text("shared"))])
        try twins.live(
            round,
            author: [.add(field: 2, .text("mine"))], copy: [.add(field: 2, .text("theirs"))],
            reader: [.remove(field: 2, .text("mine"))],
            stranger: [.remove(field: 2, .text("theirs"))])
        for device in twins.all { #expect(try device.shown(2) == .list([.text("shared")])) }
    }

    @Test(arguments: rounds)
    func `an edit of a text changes the life that its writer knew`(round: Int) throws {
        let twins = try twins(round, [.edit(field: 3, at: 0, deleting: 0, inserting: "= ")])
        try twins.live(
            round,
            author: [.edit(field: 3, at: 2, deleting: 0, inserting: "abc")],
            copy: [.edit(field: 3, at: 2, deleting: 0, inserting: "xyz")],
            reader: [.edit(field: 3, at: 3, deleting: 1, inserting: "B")],
            stranger: [.edit(field: 3, at: 3, deleting: 1, inserting: "Y")])
        for device in twins.all {
            let text = try #require(try device.shown(3)).description
            #expect(["= aBcxYz", "= xYzaBc"].contains(text))
        }
    }

    @Test(arguments: rounds)
    func `a value replaces the one of the life that its writer knew`(round: Int) throws {
        let twins = try twins(round, [.set(FieldWrite(4, .text("shared")))])
        try twins.live(
            round,
            author: [.set(FieldWrite(4, .text("mine")))],
            copy: [.set(FieldWrite(4, .text("theirs")))],
            reader: [.set(FieldWrite(4, .text("mine, read")))],
            stranger: [.set(FieldWrite(4, .text("theirs, read")))])
        let view = try #require(try twins.author.view(2_000))
        let field = try #require(view.fields.first { $0.field == 4 })
        guard case .list(let shown)? = field.values.first else {
            Issue.record("two values stand side by side")
            return
        }
        #expect(shown.count == 2)
        #expect(shown.contains(.text("mine, read")) && shown.contains(.text("theirs, read")))
    }

    @Test(arguments: rounds)
    func `an amount is taken back in the life that its writer knew`(round: Int) throws {
        let twins = try twins(round, [.recount(field: 1, .int(20))])
        try twins.live(
            round,
            author: [.count(field: 1, key: "dose", amount: .int(-1))],
            copy: [.count(field: 1, key: "other", amount: .int(-5))],
            reader: [.count(field: 1, key: "dose", amount: .int(0))],
            stranger: [.count(field: 1, key: "other", amount: .int(0))])
        for device in twins.all { #expect(try device.shown(1) == .int(20)) }
    }

    @Test func `who knew one life before a restart goes on to mean it`() throws {
        let twins = try twins(0, [.add(field: 2, .text("shared"))])
        let fleet = twins.fleet
        try twins.author.change([.add(field: 2, .text("mine"))], fleet)
        try twins.copy.change([.add(field: 2, .text("theirs"))], fleet)
        try fleet.meet(twins.author, twins.reader)
        try fleet.meet(twins.copy, twins.stranger)
        // Named as seen in one batch, meant in a later one.
        try twins.reader.change([.edit(field: 3, at: 0, deleting: 0, inserting: "x")], fleet)
        try twins.reader.change([.remove(field: 2, .text("mine"))], fleet)
        try twins.stranger.change([.edit(field: 3, at: 0, deleting: 0, inserting: "y")], fleet)
        try twins.stranger.change([.remove(field: 2, .text("theirs"))], fleet)
        try fleet.meet(twins.reader, twins.stranger)
        for device in [twins.reader, twins.stranger] {
            let mark = try #require(device.mark)
            try device.close()
            try device.open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
            #expect(try device.shown(2) == .list([.text("shared")]))
        }
    }
}
