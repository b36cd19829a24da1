public import LinnetReplication
import LinnetStorage
import LinnetSystem

extension Node {
    /// Carries out changes that become visible together, here at once and elsewhere later.
    @discardableResult
    public func commit(
        _ transaction: Transaction, intent: String? = nil, durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        let receipt = try carryOut(
            try requests(of: transaction), intent: intent.map { Array($0.utf8) },
            durability: durability)
        return WriteReceipt(receipt, in: schema)
    }

    /// Returns the record as it is visible now; nil when there is none.
    public func get(_ collection: String, _ id: String) throws(LinnetError) -> Record? {
        let collection = try self.collection(named: collection)
        let id = try recordID(id)
        return try reading { (replica) throws(ReplicaError) in
            try replica.reader.record(collection.id, id)
        }.map { Record($0, of: collection) }
    }

    /// Returns the records of a collection in the bytewise order of their identifiers, without
    /// those that refer to a record which is missing or deleted.
    ///
    /// It reads in one call, for ``read(_:)``; nothing else is done meanwhile.
    public func list(_ collection: String) throws(LinnetError) -> [Record] {
        try fetch(Query(collection))
    }

    /// Returns the records that a query finds, in its order; ``plan(of:)`` tells what it reads.
    ///
    /// It reads in one call, for ``read(_:)``; nothing else is done meanwhile.
    public func fetch(_ query: Query) throws(LinnetError) -> [Record] {
        let collection = try self.collection(named: query.collection)
        return try reading { (replica) throws(ReplicaError) in
            try replica.reader.records(matching: query)
        }.map { Record($0, of: collection) }
    }

    /// Returns the records that a query with a limit finds, and the place where the next page
    /// begins.
    ///
    /// Give the same query with that place as ``Query/after`` for the next page. Through a row of
    /// pages every record that does not change meanwhile is met once, whatever else is written; one
    /// that moves within the order may be met again, or not at all.
    ///
    /// It reads in one call, for ``read(_:)``; nothing else is done meanwhile.
    public func page(_ query: Query) throws(LinnetError) -> RecordPage {
        let collection = try self.collection(named: query.collection)
        let page = try reading { (replica) throws(ReplicaError) in
            try replica.reader.page(matching: query)
        }
        return RecordPage(
            records: page.records.map { Record($0, of: collection) }, next: page.next)
    }

    /// Returns what a query reads to find its records: a declared index, or all of a collection.
    public func plan(of query: Query) throws(LinnetError) -> QueryPlan {
        try reading { (replica) throws(ReplicaError) in try replica.reader.plan(of: query) }
    }

    /// Returns the number of records that a query finds, without its offset and limit.
    ///
    /// It reads in one call, for ``read(_:)``; nothing else is done meanwhile.
    public func count(_ query: Query) throws(LinnetError) -> Int {
        try reading { (replica) throws(ReplicaError) in try replica.reader.count(matching: query) }
    }

    /// Returns the deleted records of a collection, in the bytewise order of their identifiers.
    public func trash(_ collection: String) throws(LinnetError) -> [TrashedRecord] {
        let collection = try self.collection(named: collection)
        return try reading { (replica) throws(ReplicaError) in
            try replica.reader.trash(collection.id)
        }.map { view in
            TrashedRecord(
                record: Record(view.record, of: collection),
                deletedMilliseconds: view.deleted.milliseconds,
                deletedBy: view.by.map(named),
                editedAfter: view.editedAfter.compactMap { collection.field(id: $0)?.name })
        }
    }

    func carryOut(
        _ requests: [WriteRequest], intent: [UInt8]?, durability: WriteDurability,
        telling tell: Telling? = nil
    ) throws(LinnetError) -> CommitReceipt {
        try writable()
        let now = SystemClock.now()
        do {
            guard
                let (receipt, effects) = try replica?.commit(
                    requests: requests, intent: intent,
                    durability: durability == .durable ? .full : .relaxed, at: now,
                    telling: tell)
            else { throw LinnetError.stopped }
            if durability == .relaxed { upkeep.wroteRelaxed(at: now) }
            perform(effects)
            return receipt
        } catch let error as ReplicaError {
            throw failed(error)
        } catch {
            throw .stopped
        }
    }

    /// Takes in a failure, and returns what the caller is told. After a failure of the store
    /// nothing more may be sent or told; a write that found no room on the disk is none, since it
    /// was taken back as a whole.
    func failed(_ error: ReplicaError) -> LinnetError {
        var told = LinnetError(error)
        if case .storage(let failure) = error { told = DiskProblem.told(failure, in: home) }
        switch error {
        case .storage(.diskFull) where replica?.hasFailed == false: break
        case .storage(let failure): stumble(failure)
        default: break
        }
        // Who is out is told so, and not what an admin may do.
        if told == .notAnAdmin, let own = ownRemoval { return own }
        return explained(told)
    }

    /// Returns what a transaction asks of the replica.
    func requests(of transaction: Transaction) throws(LinnetError) -> [WriteRequest] {
        do throws(LinnetError) {
            return try transaction.requests(in: schema)
        } catch {
            throw explained(error)
        }
    }

    func reading<Result>(
        _ body: (borrowing Replica) throws(ReplicaError) -> Result
    ) throws(LinnetError) -> Result {
        // A damaged row that was found is written anew, and told.
        defer { if replica?.hasDamagedRows == true { feed(.deadlineReached) } }
        do throws(ReplicaError) {
            switch replica {
            case .some(let replica): return try body(replica)
            case .none: break
            }
        } catch {
            throw explained(LinnetError(error))
        }
        throw absence
    }

    func collection(named name: String) throws(LinnetError) -> Collection {
        do {
            return try schema.collection(named: name)
        } catch {
            throw explained(.schema(error))
        }
    }

    func recordID(_ text: String) throws(LinnetError) -> RecordID {
        guard let id = RecordID(text) else { throw .badRecordID(text) }
        return id
    }
}

extension Record {
    init(_ view: RecordView, of collection: Collection) {
        self.init(
            collection: collection.name, id: view.id.description,
            cells: view.fields.flatMap { shown in
                Cell.cells(of: collection.field(id: shown.field), shown.values)
            },
            conflicts: view.conflicts.compactMap { collection.field(id: $0)?.name },
            isCollision: view.isCollision, standing: view.standing)
    }
}

extension Record.Cell {
    fileprivate static func cells(of field: Field?, _ values: [Value]) -> [Record.Cell] {
        guard let field else { return [] }
        return zip(field.members, values).map { member, value in
            Record.Cell(
                field: field.name, member: field.kind == .group ? member.name : nil, value: value)
        }
    }
}
