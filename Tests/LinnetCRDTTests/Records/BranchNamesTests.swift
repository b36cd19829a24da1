import LinnetCRDT
import LinnetWire
import Testing

@Suite struct BranchNamesTests {
    static let trunk = Bytes16(repeating: 1)
    private static let branch = Bytes16(repeating: 9)
    static let later = Bytes16(repeating: 4)

    private static func place(
        _ chain: AuthorID, _ seq: UInt64, _ index: UInt32 = 0
    ) -> Position {
        Position(chain: chain, seq: seq, index: index)
    }

    private static func names() -> BranchNames {
        var table = OrderedTable<AuthorID, [BranchNames.Branch]>()
        table[trunk] = [
            BranchNames.Branch(first: 5, name: branch), .init(first: 8, name: later),
        ]
        var trunks = OrderedTable<AuthorID, BranchNames.Trunk>()
        trunks[branch] = BranchNames.Trunk(name: trunk, last: 4)
        trunks[later] = BranchNames.Trunk(name: branch, last: 7)
        return BranchNames(table, trunks: trunks)
    }

    @Test func `a reference past a fork means the branch, and one before it the trunk`() {
        let names = BranchNamesTests.names()
        for (seq, chain) in [
            (4, BranchNamesTests.trunk), (5, BranchNamesTests.branch),
            (7, BranchNamesTests.branch), (8, BranchNamesTests.later),
            (99, BranchNamesTests.later),
        ] as [(UInt64, AuthorID)] {
            let named = names.resolve(BranchNamesTests.place(BranchNamesTests.trunk, seq, 3))
            #expect(named == BranchNamesTests.place(chain, seq, 3))
        }
        let other = BranchNamesTests.place(Bytes16(repeating: 2), 99)
        #expect(names.resolve(other) == other)
        #expect(BranchNames().resolve(other) == other)
    }

    private func apply(
        _ kind: UInt8, _ payload: [UInt8], at position: Position, to state: inout RecordState,
        generation: UInt32 = 1
    ) throws {
        var operation = try Seeded.blank(kind: kind)
        (operation.payload, operation.generation) = (payload, generation)
        if kind > 12 { operation.field = 0 }
        let outcome = state.apply(
            operation, stamp: .zero, at: position, policy: .updateWins,
            names: BranchNamesTests.names())
        #expect(outcome == .won)
    }

    private func empty() throws -> RecordState {
        RecordState(collection: 2_000, record: try #require(RecordID("r")))
    }

    @Test func `a write replaces what stands in the branch that its author had seen`() throws {
        var state = try empty()
        let inBranch = BranchNamesTests.place(BranchNamesTests.branch, 6)
        let unread = BranchNamesTests.place(Bytes16(repeating: 8), 6)
        for position in [inBranch, unread] {
            try apply(
                3, ObservedValue(value: [0x61, 0x61], observed: []).payload, at: position,
                to: &state)
        }
        let asWritten = BranchNamesTests.place(BranchNamesTests.trunk, 6)
        let last = BranchNamesTests.place(Bytes16(repeating: 3), 1)
        try apply(
            3, ObservedValue(value: [0x61, 0x62], observed: [asWritten]).payload, at: last,
            to: &state)
        guard case .values(let values)? = state.content(of: 1) else {
            Issue.record("the field holds values")
            return
        }
        #expect(values.positions == [last, unread])
    }

    @Test(arguments: [BranchNamesTests.trunk, BranchNamesTests.later])
    func `a delete that saw a branch, by either name, saw the trunk before it`(
        _ named: AuthorID
    ) throws {
        var state = try empty()
        let positions = [
            BranchNamesTests.place(BranchNamesTests.trunk, 4),
            BranchNamesTests.place(BranchNamesTests.branch, 7, 2),
            BranchNamesTests.place(BranchNamesTests.later, 8),
        ]
        for position in positions { try apply(1, [0x61, 0x61], at: position, to: &state) }
        var seen = CausalContext()
        seen.insert(BranchNamesTests.place(named, 8))
        let place = BranchNamesTests.place(Bytes16(repeating: 3), 1)
        try apply(13, seen.payload, at: place, to: &state, generation: 2)
        #expect(!state.isLive)
        try apply(
            1, [0x61, 0x62], at: BranchNamesTests.place(BranchNamesTests.later, 9), to: &state)
        #expect(state.isLive)
    }

    @Test func `text hangs on the branch's characters and deletes them`() throws {
        var state = try empty()
        try apply(
            9, TextInsertion(parent: nil, side: .right, string: "ab").encoded(),
            at: BranchNamesTests.place(BranchNamesTests.branch, 6), to: &state)
        let written = BranchNamesTests.place(BranchNamesTests.trunk, 6)
        let parent = TextID(position: written, offset: 0)
        try apply(
            9, TextInsertion(parent: parent, side: .left, string: "x").encoded(),
            at: BranchNamesTests.place(Bytes16(repeating: 3), 1), to: &state)
        let range = try #require(TextRange(start: TextID(position: written, offset: 1), count: 1))
        try apply(
            10, TextDeletion([range]).encoded(),
            at: BranchNamesTests.place(Bytes16(repeating: 3), 2), to: &state)
        guard case .text(let text)? = state.content(of: 1) else {
            Issue.record("the field holds a text")
            return
        }
        #expect(text.string == "xa")
    }
}
