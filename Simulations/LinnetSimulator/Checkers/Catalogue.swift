import LinnetCRDT
import LinnetCrypto
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A batch as the simulator knows it from its author, whatever becomes of it on replicas.
final class Fact {
    let id: BatchID
    let prev: BatchID
    /// The author's name before any fork, and its scope.
    let root: ChainKey
    let seq: UInt64
    let body: BatchBody
    /// The author and number of the batch that this one says again.
    let restated: (root: ChainKey, seq: UInt64)?
    /// A fingerprint of the header, ciphertext and signature as the author stored them.
    let sealed: UInt64
    let sealedBytes: Int
    /// The mark that the batch leaves in the fingerprint of what a replica applied.
    let print: UInt64
    /// The number up to which whoever has seen this batch knows each chain, by the chain's number.
    var cover: [UInt64] = []
    /// No replica holds it any more.
    var isLost = false
    /// Its bytes changed on the disks of all that hold it.
    var isRotten = false

    init(
        id: BatchID, prev: BatchID, root: ChainKey, seq: UInt64, body: BatchBody,
        restated: ChainKey? = nil, sealed: [UInt8]
    ) {
        self.restated = restated.flatMap { root in
            body.restates.map { (root: root, seq: $0.seq) }
        }
        self.id = id
        self.prev = prev
        self.root = root
        self.seq = seq
        self.body = body
        self.sealed = TraceHash.of(sealed)
        sealedBytes = sealed.count
        print = TraceHash.of(id.array)
    }

    var commit: CommitID { body.attributes.name(of: id) }
    var parts: UInt32 { body.attributes.parts }
}

/// One operation of a fact.
final class FactOperation {
    let fact: Int
    let index: UInt32
    let operation: Operation
    let stamp: Timestamp
    private(set) lazy var statement = ReferenceStatement(operation)

    init(fact: Int, index: UInt32, operation: Operation, stamp: Timestamp) {
        self.fact = fact
        self.index = index
        self.operation = operation
        self.stamp = stamp
    }

    var key: RecordKey {
        RecordKey(collection: operation.collection, record: operation.record)
    }
}

/// Every batch that was ever committed, and what can be looked up about it.
final class Catalogue {
    private(set) var facts: [Fact] = []
    private(set) var operations: [RecordKey: [FactOperation]] = [:]
    /// The operations of each fact, by its number.
    private(set) var operationsOfFact: [[FactOperation]] = []
    private var numbers: [BatchID: Int] = [:]
    private var byPrefix: [Bytes8: Int] = [:]
    /// The batches by their places, and those that say one again by its place.
    private var byPlace: (batches: [Place: [Int]], restating: [Place: [Int]]) = ([:], [:])
    private var byCommit: [CommitID: [Int]] = [:]
    private var commitsOfIntent: [[UInt8]: [CommitID]] = [:]
    private var uncovered: [Int] = []
    private var chainNumbers: [ChainKey: Int] = [:]
    /// Authors with two histories.
    private(set) var forkedRoots: Set<ChainKey> = []
    /// The author's own chain of each branch.
    private var branches: [ChainKey: ChainKey] = [:]
    /// Records of which more must be known than the latest change of each field.
    private(set) var intricate: Set<RecordKey> = []

    private struct Place: Hashable {
        var root: ChainKey
        var seq: UInt64
    }

    /// The scope of the records of each collection, of collections that are in one scope.
    private(set) var scopes: [UInt32: ScopeID] = [:]
    /// Collections in which an update may outlive a delete.
    private let updateWins: Set<UInt32>

    init(_ schemas: [Schema]) {
        updateWins = Set(
            schemas.flatMap(\.collections).filter { $0.deletePolicy == .updateWins }.map(\.id))
    }

    var chainCount: Int { chainNumbers.count }

    func number(_ id: BatchID) -> Int? { numbers[id] }
    func number(prefix: Bytes8) -> Int? { byPrefix[prefix] }
    func parts(of commit: CommitID) -> [Int] { byCommit[commit] ?? [] }
    func commits(ofIntent intent: [UInt8]) -> [CommitID] { commitsOfIntent[intent] ?? [] }
    func facts(at root: ChainKey, _ seq: UInt64) -> [Int] {
        byPlace.batches[Place(root: root, seq: seq)] ?? []
    }
    /// True when any batch says another one again.
    var hasRestatements: Bool { !byPlace.restating.isEmpty }
    /// The batches that say the one at a place again.
    func restatements(of root: ChainKey, _ seq: UInt64) -> [Int] {
        byPlace.restating.isEmpty ? [] : byPlace.restating[Place(root: root, seq: seq)] ?? []
    }
    /// The chain that a name begins or is a branch of, when its author has two histories.
    func forkedRoot(named name: AuthorID, in scope: ScopeID) -> ChainKey? {
        let key = ChainKey(scope: scope, chain: name)
        return forkedRoots.contains(key) ? key : branches[key]
    }
    func chainNumber(_ root: ChainKey) -> Int? { chainNumbers[root] }

    func markLost(_ fact: Int) { facts[fact].isLost = true }

    /// Notes which batches nobody has as their authors signed them.
    func markRotten(_ numbers: [Int]) {
        for fact in facts { fact.isRotten = false }
        for number in numbers { facts[number].isRotten = true }
    }

    /// Adds a batch; returns its number.
    func learn(_ fact: Fact) -> Int {
        let number = facts.count
        facts.append(fact)
        numbers[fact.id] = number
        byPrefix[Bytes8(Array(fact.id.array.prefix(8))) ?? .zero] = number
        let place = Place(root: fact.root, seq: fact.seq)
        byPlace.batches[place, default: []].append(number)
        if byPlace.batches[place]?.count ?? 0 > 1 {
            forkedRoots.insert(fact.root)
            for number in byPlace.batches[place] ?? [] {
                let name = ChainNames.branch(of: fact.root, seq: fact.seq, first: facts[number].id)
                branches[ChainKey(scope: fact.root.scope, chain: name)] = fact.root
            }
        }
        byCommit[fact.commit, default: []].append(number)
        if let old = fact.restated {
            byPlace.restating[Place(root: old.root, seq: old.seq), default: []].append(number)
        }
        if let intent = fact.body.attributes.intent,
            !commits(ofIntent: intent).contains(fact.commit)
        {
            commitsOfIntent[intent, default: []].append(fact.commit)
        }
        if chainNumbers[fact.root] == nil { chainNumbers[fact.root] = chainNumbers.count }
        uncovered.append(number)
        let all = fact.body.operations.enumerated().map { index, operation in
            FactOperation(
                fact: number, index: UInt32(index), operation: operation,
                stamp: fact.body.stamp(of: operation))
        }
        operationsOfFact.append(all)
        for entry in all {
            operations[entry.key, default: []].append(entry)
            scopes[entry.key.collection] = fact.root.scope
            if isIntricate(entry) { intricate.insert(entry.key) }
        }
        return number
    }

    private func isIntricate(_ entry: FactOperation) -> Bool {
        switch OperationKind(rawValue: entry.operation.kind) {
        case .lwwSet, .groupSet: updateWins.contains(entry.operation.collection)
        case .recordDelete: updateWins.contains(entry.operation.collection)
        default: true
        }
    }

    /// True when the author of one batch had seen another; only where nobody forked.
    func hasSeen(_ number: Int, _ other: Int) -> Bool {
        guard let chain = chainNumber(facts[other].root) else { return false }
        let cover = facts[number].cover
        return chain < cover.count && cover[chain] >= facts[other].seq
    }

    /// Works out what the authors of new batches had seen; those of one commit build on each other,
    /// in an order that is not the one in which they were learnt.
    func coverNew() {
        while !uncovered.isEmpty {
            let ready = uncovered.filter { number in
                !uncovered.contains { $0 != number && builds(number, on: $0) }
            }
            for number in ready.isEmpty ? uncovered : ready {
                let fact = facts[number]
                facts[number].cover = cover(of: fact, chain: chainNumbers[fact.root] ?? 0)
            }
            uncovered.removeAll { ready.isEmpty || ready.contains($0) }
        }
    }

    private func builds(_ number: Int, on other: Int) -> Bool {
        let (fact, id) = (facts[number], facts[other].id)
        if fact.prev == id { return true }
        return fact.body.attributes.dependencies.contains { scope in
            scope.heads.contains { byPrefix[$0.prefix] == other }
        }
    }

    /// The batches that the author had seen: its previous batch's, those it names, and itself.
    private func cover(of fact: Fact, chain: Int) -> [UInt64] {
        var cover = numbers[fact.prev].map { facts[$0].cover } ?? []
        func raise(_ number: Int, _ seq: UInt64) {
            while cover.count <= number { cover.append(0) }
            cover[number] = max(cover[number], seq)
        }
        for scope in fact.body.attributes.dependencies {
            for dependency in scope.heads {
                guard let seen = byPrefix[dependency.prefix] else { continue }
                for (number, seq) in facts[seen].cover.enumerated() { raise(number, seq) }
            }
        }
        raise(chain, fact.seq)
        return cover
    }
}

/// The names that the protocol gives to authors and branches, worked out here once more.
enum ChainNames {
    static func root(_ row: ChainRow) -> ChainKey { root(row, life: row.incarnation) }

    /// The chain that another life of a chain's device has in its scope.
    static func root(_ row: ChainRow, life: Incarnation) -> ChainKey {
        let name = Hash.blake2b(.author, row.device.array, life.array, count: 16)
        return ChainKey(scope: row.scope, chain: Bytes16(name) ?? .zero)
    }

    static func branch(of root: ChainKey, seq: UInt64, first: BatchID) -> AuthorID {
        var number: [UInt8] = []
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            number.append(UInt8(truncatingIfNeeded: seq >> shift))
        }
        let name = Hash.blake2b(
            .fork, root.chain.array, root.scope.array, number, first.array, count: 16)
        return Bytes16(name) ?? .zero
    }
}
