public import LinnetReplication
import LinnetWire

/// A transaction under way: it reads what it wrote, and nothing that others write meanwhile.
///
/// It is used only inside the call that opened it.
public final class LiveTransaction {
    private unowned let node: Node
    private var failure: LinnetError?
    var isOpen = true

    init(_ node: Node) {
        self.node = node
    }

    /// Returns the record as it is visible in the transaction; nil when there is none.
    public func get(_ collection: String, _ id: String) throws(LinnetError) -> Record? {
        try perform { (node) throws(LinnetError) in try node.get(collection, id) }
    }

    /// Returns the records that a query finds, as they are visible in the transaction.
    public func fetch(_ query: Query) throws(LinnetError) -> [Record] {
        try perform { (node) throws(LinnetError) in try node.fetch(query) }
    }

    /// Returns the number of records that a query finds, without its offset and limit.
    public func count(_ query: Query) throws(LinnetError) -> Int {
        try perform { (node) throws(LinnetError) in try node.count(query) }
    }

    /// Returns the record of this identifier as a value; nil when there is none.
    public func fetch<Root>(
        _ collection: TypedCollection<Root>, _ id: String
    ) throws(LinnetError) -> Root? {
        try perform { (node) throws(LinnetError) in try node.fetch(collection, id) }
    }

    /// Makes these changes: `tx.write { $0.set("meds", "a", ["name": "A"]) }`.
    ///
    /// After an error nothing of the whole transaction remains, and its call throws the error.
    public func write(_ body: (inout Transaction) -> Void) throws(LinnetError) {
        var transaction = Transaction()
        body(&transaction)
        try write(transaction)
    }

    /// Makes these changes, as `write` with a closure does.
    public func write(_ transaction: Transaction) throws(LinnetError) {
        try add { (node) throws(LinnetError) in
            try node.addToCommit(try node.requests(of: transaction))
        }
    }

    /// Makes changes that name collections and fields by their numbers.
    func write(_ requests: [WriteRequest]) throws(LinnetError) {
        try add { (node) throws(LinnetError) in try node.addToCommit(requests) }
    }

    /// Keeps the first failure, after which nothing of the transaction remains.
    private func add(
        _ body: @Sendable (isolated Node) throws(LinnetError) -> Void
    ) throws(LinnetError) {
        do throws(LinnetError) {
            try perform(body)
        } catch {
            failure = failure ?? error
            throw error
        }
    }

    /// Writes the differences between a value and the record; see
    /// ``Node/save(_:in:changedFrom:intent:durability:)``.
    public func save<Root>(
        _ new: Root, in collection: TypedCollection<Root>
    ) throws(LinnetError) {
        let before = try fetch(collection, collection.identifier(new))
        try write(collection.changes(from: before, to: new))
    }

    func perform<Result: Sendable>(
        _ body: @Sendable (isolated Node) throws(LinnetError) -> Result
    ) throws(LinnetError) -> Result {
        guard isOpen else { throw .transactionEnded }
        if let failure { throw failure }
        let result = node.assumeIsolated { node in
            Swift.Result { () throws(LinnetError) in try body(node) }
        }
        return try result.get()
    }

    /// Throws the first failure, even when the application took no notice of it.
    func end() throws(LinnetError) {
        isOpen = false
        if let failure { throw failure }
    }
}

extension Node {
    /// Reads and writes as one: reads see the writes before them, nothing that others write comes
    /// in between, and everything becomes visible together, or nothing when `body` throws.
    ///
    /// - Parameters:
    ///   - intent: 1 to 64 bytes that name the caller's wish; with one that was carried out before,
    ///     `body` is not called and the first receipt is returned.
    ///   - durability: tells whether the call waits until the changes are safe from a power cut.
    ///   - body: the reads and writes; other calls of the node wait for it.
    @discardableResult
    public func transaction(
        intent: String? = nil, durability: WriteDurability = .durable,
        _ body: @Sendable (LiveTransaction) throws -> Void
    ) throws -> WriteReceipt {
        let intent = intent.map { Array($0.utf8) }
        if let first = try firstReceipt(of: intent) { return WriteReceipt(first, in: schema) }
        try beginCommit(durability)
        let transaction = LiveTransaction(self)
        do {
            try body(transaction)
            try transaction.end()
        } catch {
            transaction.isOpen = false
            try abandonCommit()
            throw error
        }
        return WriteReceipt(try endCommit(intent: intent, durability), in: schema)
    }

    /// Reads several things of one state: nothing that others write comes in between.
    public func read<Result: Sendable>(
        _ body: @Sendable (isolated Node) throws(LinnetError) -> Result
    ) throws(LinnetError) -> Result {
        try body(self)
    }
}

extension WriteReceipt {
    init(_ receipt: CommitReceipt, in schema: Schema) {
        self.init(
            commit: receipt.commit.description, batches: receipt.batches,
            operations: receipt.operations, isDurable: receipt.durable,
            isRepeated: receipt.repeated, outcome: WriteOutcome(receipt, in: schema))
    }
}
