import LinnetStorage
import LinnetWire
import Testing

struct ChainTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `a new chain is empty and has the next number`() throws {
        let store = try home.open()
        try store.begin()
        let first = try store.insertChain(.sample(1))
        let second = try store.insertChain(.sample(2))
        try store.commit()
        #expect(first.index == 1 && second.index == 2)
        #expect(first.first == 1 && first.stored == 0 && first.applied == 0)
        #expect(first.head == .zero && first.forkedAt == nil && first.parent == nil)
        #expect(try store.chains() == [first, second])
        try store.close()
    }

    @Test func `what changes of a chain is found again after reopening`() throws {
        var store = try home.open()
        try store.begin()
        var trunk = try store.insertChain(.sample(1))
        trunk.stored = 40
        trunk.head = BatchID(repeating: 40)
        trunk.applied = 38
        trunk.folded = 12
        trunk.forkedAt = 41
        try store.updateChain(trunk)
        var chain = NewChain.sample(2)
        chain.first = 41
        chain.head = BatchID(repeating: 40)
        chain.parent = trunk.index
        let branch = try store.insertChain(chain)
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(branch.stored == 40 && branch.applied == 40)
        #expect(try store.chains() == [trunk, branch])
        try store.close()
    }

    @Test func `a chain has one row in a scope`() throws {
        let store = try home.open()
        try store.begin()
        _ = try store.insertChain(.sample(1))
        let refused = failure { () throws(StorageError) in
            _ = try store.insertChain(.sample(1))
        }
        #expect(refused == .duplicate)
        var other = NewChain.sample(1)
        other.scope = ScopeID(repeating: 2)
        _ = try store.insertChain(other)
        try store.commit()
        #expect(try store.chains().count == 2)
        try store.close()
    }

    @Test(arguments: [0, 1 << 40, UInt64.max])
    func `a chain that begins outside the range is refused`(_ first: UInt64) throws {
        let store = try home.open()
        try store.begin()
        var chain = NewChain.sample(1)
        chain.first = first
        #expect(
            failure { () throws(StorageError) in _ = try store.insertChain(chain) } == .outOfRange)
        store.rollback()
    }

    @Test func `a branch needs a parent that exists`() throws {
        let store = try home.open()
        try store.begin()
        var chain = NewChain.sample(1)
        chain.parent = 99
        #expect(
            failure { () throws(StorageError) in _ = try store.insertChain(chain) }
                == .io(code: 787))
        store.rollback()
    }
}
