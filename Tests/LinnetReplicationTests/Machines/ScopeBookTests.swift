import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct ScopeBookTests {
    private let bench: Workbench
    private var chains: ChainBook
    private var scopes = ScopeBook()

    /// One batch is stored that this device did not write.
    init() throws {
        bench = try Workbench()
        chains = ChainBook([], device: bench.author.device, isStale: false)
        for batch in try bench.chain(1) {
            _ = try chains.place(batch, author: bench.author, under: bench.schema, &bench.turn)
        }
    }

    private var log: BatchLog { bench.log(of: chains) }

    /// Keeps in the store that a peer said which batch of the chain it holds last.
    private func hear(_ seq: UInt64) throws {
        let key = try #require(chains.rows.keys.first)
        let state = OpenState(
            AuthorisingState(HandshakingState(), remoteStatic: [], deadline: 0),
            device: DeviceID(repeating: 7), now: 0)
        state.heardHave = true
        state.peer[key] = ListedHead(chain: key.chain, seq: seq, prefix: .zero)
        var sessions = Sessions()
        try sessions.remember(state, &bench.turn)
    }

    @Test func `what is held follows what was chosen, once the names of scopes are known`() throws {
        var scopes = scopes
        #expect(scopes.filter(of: bench.group, bench.schema) == .everything)
        scopes.subscription = .everything(except: ["left"])
        #expect(scopes.filter(of: nil, bench.schema) == .everything)
        let left = try #require(bench.group.scope(named: "left"))
        let filter = scopes.filter(of: bench.group, bench.schema)
        #expect(!filter.holds(left) && filter.holds(try bench.scope()))
        scopes.subscription = .only([])
        let least = scopes.filter(of: bench.group, bench.schema)
        #expect(!least.holds(left) && least.scopes.count < 1_000)
    }

    @Test func `a founder knew all that an earlier version held`() throws {
        var scopes = scopes
        try scopes.recall(log, on: bench.keys.device)
        #expect(scopes.known.isEverything)
    }

    @Test func `a member that held just what a peer listed knew all, and no other`() throws {
        var (unheard, behind, inStep) = (scopes, scopes, scopes)
        try unheard.recall(log, on: bench.author.device)
        #expect(!unheard.known.isEverything)
        try hear(2)
        try behind.recall(log, on: bench.author.device)
        #expect(!behind.known.isEverything)
        try hear(1)
        try inStep.recall(log, on: bench.author.device)
        #expect(inStep.known.isEverything)
    }

    @Test func `a device that is alone expects nothing more of a scope`() throws {
        var scopes = scopes
        scopes.known.become(.everything)
        try scopes.expectMore(of: ["visits"], bench.group, &bench.turn)
        #expect(scopes.known.isEverything)
    }

    @Test func `nothing is kept before there is a group`() throws {
        var scopes = scopes
        scopes.known.become(.everything)
        try bench.turn.writing()
        try scopes.save(in: bench.turn.store, of: nil)
        #expect(!scopes.known.isKept)
        try scopes.save(in: bench.turn.store, of: bench.group)
        #expect(scopes.known.isKept)
    }
}
