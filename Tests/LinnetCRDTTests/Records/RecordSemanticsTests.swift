import LinnetCRDT
import LinnetWire
import Testing

/// What becomes of concurrent changes, record by record; every case in many causal orders.
@Suite struct RecordSemanticsTests {
    // MARK: Deletes win

    @Test func `two deletes at a time are one`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(1, .text("a"))))
        desk.meet()
        try desk.write(0, .delete)
        try desk.write(1, .delete)
        let state = try desk.outcome()
        #expect(!state.isLive && state.generation == 2)
        desk.meet()
        try desk.write(2, .restore)
        #expect(try desk.shown(1) == [.text("a")])
    }

    @Test func `an edit that the delete had not seen stays in the trash until a restore`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(1, .text("a"))))
        desk.meet()
        try desk.write(0, .delete)
        try desk.write(1, .set(FieldWrite(1, .text("late"))), .add(field: 5, .text("late")))
        let deleted = try desk.outcome()
        #expect(!deleted.isLive && deleted.visibleContents.isEmpty)
        #expect(deleted.deletedContents.map(\.field) == [1, 5])
        let late = deleted.deletedContents.filter {
            deleted.deletion?.context.covers($0.content.writes) == false
        }
        #expect(late.map(\.field) == [1, 5])
        desk.meet()
        try desk.write(2, .restore)
        #expect(try desk.outcome().isLive)
        #expect(try desk.shown(1) == [.text("late")])
        #expect(try desk.shown(5) == [.list([.text("late")])])
    }

    @Test func `a late text shows as edited after the delete`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .rewrite(field: 6, "ab"))
        desk.meet()
        try desk.write(0, .delete)
        let seen = try #require(desk.states[0].deletion)
        let before = try #require(desk.states[0].deletedContents.first)
        #expect(seen.context.covers(before.content.writes))
        try desk.write(1, .edit(field: 6, at: 1, deleting: 0, inserting: "x"))
        desk.meet()
        let after = try #require(desk.states[0].deletedContents.first)
        #expect(!seen.context.covers(after.content.writes))
    }

    @Test func `edits of the first life count after a restore too`() throws {
        var desk = try RecordDesk()
        try desk.write(
            0, .count(field: 4, key: "mon", amount: .int(-1)), .add(field: 5, .text("x")))
        desk.meet()
        try desk.write(0, .delete)
        try desk.write(0, .restore)
        try desk.write(0, .count(field: 4, key: "tue", amount: .int(-1)))
        try desk.write(
            1, .count(field: 4, key: "wed", amount: .int(-1)), .remove(field: 5, .text("x")))
        #expect(try desk.outcome().generation == 3)
        #expect(try desk.shown(4) == [.int(-3)])
        #expect(try desk.shown(5) == [.list([])])
    }

    @Test func `a record created anew hides what it was`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(1, .text("old"))), .set(FieldWrite(3, .text("old"))))
        desk.meet()
        try desk.write(0, .delete)
        try desk.write(0, .set(FieldWrite(3, .text("new"))))
        try desk.write(1, .set(FieldWrite(1, .text("late"))), clock: 900_000)
        let state = try desk.outcome()
        #expect(state.visibleContents.map(\.field) == [3])
        #expect(try desk.shown(3) == [.text("new")])
    }

    @Test func `a restore beside a creation joins both and takes nothing away`() throws {
        var desk = try RecordDesk()
        try desk.write(
            0, .set(FieldWrite(3, .text("old"))), .add(field: 5, .text("old")),
            .count(field: 4, key: "old", amount: .int(1)), .rewrite(field: 6, "old"))
        desk.meet()
        try desk.write(0, .delete)
        desk.meet()
        try desk.write(1, .restore)
        try desk.write(
            2, .set(FieldWrite(3, .text("new"))), .add(field: 5, .text("new")),
            .count(field: 4, key: "new", amount: .int(2)), .rewrite(field: 6, "new"),
            .set(FieldWrite(1, .text("new"))))
        #expect(try desk.outcome().generation == 3)
        #expect(try desk.shown(3) == [.list([.text("new"), .text("old")])])
        #expect(try desk.shown(5) == [.list([.text("new"), .text("old")])])
        #expect(try desk.shown(4) == [.int(3)])
        #expect(try desk.shown(6) == [.text("oldnew")])
        #expect(try desk.shown(1) == [.text("new")])
    }

    @Test func `a restore by two devices is one`() throws {
        var desk = try RecordDesk()
        try desk.write(
            0, .set(FieldWrite(1, .text("a"))), .count(field: 4, key: "k", amount: .int(5)))
        try desk.write(0, .delete)
        desk.meet()
        try desk.write(1, .restore)
        try desk.write(2, .restore)
        let state = try desk.outcome()
        #expect(state.generation == 3 && state.restored == [3])
        #expect(try desk.shown(4) == [.int(5)])
    }

    @Test func `lives that were restored one after the other are one`() throws {
        var desk = try RecordDesk()
        for round in 0..<3 {
            try desk.write(round, .add(field: 5, .text("\(round)")), .delete, .restore)
            desk.meet()
        }
        try desk.write(0, .remove(field: 5, .text("1")))
        let state = try desk.outcome()
        #expect(state.generation == 7 && state.restored == [3, 5, 7])
        #expect(try desk.shown(5) == [.list([.text("0"), .text("2")])])
        #expect(state.contents.count == 1)
    }

    // MARK: Other policies

    @Test func `where updates win an unseen write keeps the record alive`() throws {
        var desk = try RecordDesk(RecordDesk.records(.updateWins))
        try desk.write(0, .set(FieldWrite(1, .text("a"))))
        desk.meet()
        try desk.write(0, .delete)
        #expect(!desk.states[0].isLive)
        try desk.write(1, .set(FieldWrite(7, .text("V"))))
        let state = try desk.outcome()
        #expect(state.isLive && state.generation == 2 && state.writeGeneration == 1)
        #expect(try desk.shown(1) == [.text("a")])
    }

    @Test func `where updates win a record is deleted again by who has seen all`() throws {
        var desk = try RecordDesk(RecordDesk.records(.updateWins))
        try desk.write(0, .set(FieldWrite(1, .text("a"))))
        desk.meet()
        try desk.write(0, .delete)
        try desk.write(1, .set(FieldWrite(1, .text("b"))))
        desk.meet()
        let again = try desk.write(2, .delete)
        #expect(again.map(\.generation) == [2])
        #expect(try !desk.outcome().isLive)
        desk.meet()
        try desk.write(0, .set(FieldWrite(3, .text("anew"))))
        let state = try desk.outcome()
        #expect(state.generation == 3 && state.visibleContents.map(\.field) == [3])
    }

    @Test func `where updates win two deletes together may have seen every write`() throws {
        var desk = try RecordDesk(RecordDesk.records(.updateWins))
        try desk.write(0, .set(FieldWrite(1, .text("a"))))
        try desk.write(1, .set(FieldWrite(3, .text("b"))))
        try desk.write(0, .delete)
        try desk.write(1, .delete)
        #expect(try !desk.outcome().isLive)
    }

    @Test func `a text edit outlives a delete where updates win`() throws {
        var desk = try RecordDesk(RecordDesk.records(.updateWins))
        try desk.write(0, .rewrite(field: 6, "abc"))
        desk.meet()
        try desk.write(0, .delete)
        try desk.write(1, .edit(field: 6, at: 0, deleting: 1, inserting: ""))
        #expect(try desk.outcome().isLive)
        #expect(try desk.shown(6) == [.text("bc")])
    }

    @Test func `what is never deleted refuses deletes and later lives`() throws {
        var desk = try RecordDesk(RecordDesk.records(.neverDelete))
        try desk.write(0, .set(FieldWrite(1, .text("a"))))
        #expect(throws: SchemaError.neverDeleted("record")) { try desk.write(0, .delete) }
        #expect(throws: SchemaError.neverDeleted("record")) { try desk.write(0, .restore) }
        var state = desk.states[0]
        let position = Position(chain: Bytes16(repeating: 1), seq: 1, index: 0)
        for (kind, generation) in [(.recordDelete, 2), (.recordRestore, 3)]
            as [(OperationKind, UInt32)]
        {
            let op = Operation.record(
                kind, collection: 2_000, record: state.record, generation: generation,
                stampDelta: 0)
            #expect(
                state.apply(op, stamp: .ceiling, at: position, policy: .neverDelete)
                    == .quarantined(.immutable))
        }
        var anew = desk.ops[0].operation
        anew.generation = 3
        #expect(
            state.apply(anew, stamp: .ceiling, at: position, policy: .neverDelete)
                == .quarantined(.immutable))
        #expect(state == desk.states[0])
    }

    // MARK: Kinds inside a record

    @Test func `the members of a group are never torn`() throws {
        var desk = try RecordDesk()
        let ten = try #require(Decimal64(parsing: "10"))
        let two = try #require(Decimal64(parsing: "2"))
        try desk.write(0, .set(FieldWrite(2, members: [(0, .decimal(ten)), (1, .text("mg"))])))
        desk.meet()
        try desk.write(0, .set(FieldWrite(2, members: [(0, .decimal(two))])))
        try desk.write(1, .set(FieldWrite(2, members: [(1, .text("g"))])))
        #expect(try desk.shown(2) == [.decimal(ten), .text("g")])
    }

    @Test func `of two moves one wins, and an edit of another field stays`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(7, .text("V"))), .set(FieldWrite(1, .text("a"))))
        desk.meet()
        try desk.write(0, .set(FieldWrite(7, .text("A"))))
        try desk.write(1, .set(FieldWrite(7, .text("z"))))
        try desk.write(2, .set(FieldWrite(1, .text("b"))))
        #expect(try desk.shown(7) == [.text("z")])
        #expect(try desk.shown(1) == [.text("b")])
    }

    @Test func `concurrent values stand until a write that saw them`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(3, .text("a"))))
        try desk.write(1, .set(FieldWrite(3, .text("b"))))
        #expect(try desk.outcome().content(of: 3)?.isConflicting == true)
        #expect(try desk.shown(3) == [.list([.text("b"), .text("a")])])
        desk.meet()
        try desk.write(2, .set(FieldWrite(3, .text("c"))), clock: 1)
        #expect(try desk.shown(3) == [.text("c")])
    }

    @Test func `two doses count twice and one dose marked twice counts once`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .recount(field: 4, .int(30)))
        desk.meet()
        try desk.write(0, .count(field: 4, key: "mon", amount: .int(-1)))
        try desk.write(1, .count(field: 4, key: "mon", amount: .int(-1)))
        try desk.write(2, .count(field: 4, key: "tue", amount: .int(-1)))
        #expect(try desk.shown(4) == [.int(28)])
        try desk.write(0, .count(field: 4, key: "mon", amount: .int(0)))
        #expect(try desk.shown(4) == [.int(28)])
        desk.meet()
        try desk.write(0, .count(field: 4, key: "mon", amount: .int(0)))
        #expect(try desk.shown(4) == [.int(29)])
    }

    @Test func `a recount leaves a dose that it had not seen to be counted`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .count(field: 4, key: "mon", amount: .int(-1)))
        desk.meet()
        try desk.write(0, .recount(field: 4, .int(30)))
        try desk.write(1, .count(field: 4, key: "tue", amount: .int(-1)))
        #expect(try desk.shown(4) == [.int(29)])
        try desk.write(2, .recount(field: 4, .int(12)))
        #expect(try desk.shown(4) == [.int(11)])
        desk.meet()
        try desk.write(1, .count(field: 4, key: "mon", amount: .int(-7)))
        #expect(try desk.shown(4) == [.int(11)])
    }

    @Test func `an addition beats a removal that had not seen it`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .add(field: 5, .text("x")))
        desk.meet()
        try desk.write(0, .remove(field: 5, .text("x")))
        try desk.write(1, .add(field: 5, .text("x")))
        #expect(try desk.shown(5) == [.list([.text("x")])])
        desk.meet()
        try desk.write(2, .remove(field: 5, .text("x")))
        #expect(try desk.shown(5) == [.list([])])
    }

    @Test func `texts typed at one place stand one after the other`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .rewrite(field: 6, "[]"))
        desk.meet()
        for character in ["1", "2", "3"] {
            let offset = try #require(Int(character))
            try desk.write(0, .edit(field: 6, at: offset, deleting: 0, inserting: character))
            try desk.write(1, .edit(field: 6, at: 1, deleting: 0, inserting: character))
        }
        #expect(try desk.shown(6) == [.text("[123321]")])
    }

    // MARK: Logs

    @Test func `the same record of a log from two devices is one`() throws {
        var desk = try RecordDesk(RecordDesk.log)
        let taken = Change.insert([FieldValues(1, [.text("taken")])])
        try desk.write(0, taken)
        try desk.write(1, taken)
        guard case .log(let log)? = try desk.outcome().content(of: 0) else {
            Issue.record("there is no record")
            return
        }
        #expect(!log.isCollision && log.first?.position.chain == RecordDesk.chain(0))
    }

    @Test func `different records under one name of a log are both kept`() throws {
        var desk = try RecordDesk(RecordDesk.log)
        try desk.write(1, .insert([FieldValues(1, [.text("late")])]), clock: 9_000)
        try desk.write(0, .insert([FieldValues(1, [.text("early")])]), clock: 8_000)
        guard case .log(let log)? = try desk.outcome().content(of: 0) else {
            Issue.record("there is no record")
            return
        }
        #expect(log.isCollision && log.entries.count == 2)
        #expect(log.first?.position.chain == RecordDesk.chain(0))
    }

    @Test func `nothing hides a record of a log`() throws {
        var desk = try RecordDesk(RecordDesk.log)
        try desk.write(0, .insert([FieldValues(1, [.text("a")])]))
        var state = desk.states[0]
        var anew = desk.ops[0].operation
        anew.generation = 3
        let position = Position(chain: Bytes16(repeating: 1), seq: 1, index: 0)
        #expect(
            state.apply(anew, stamp: .ceiling, at: position, policy: .neverDelete)
                == .quarantined(.badGeneration))
        #expect(state == desk.states[0])
    }
}
