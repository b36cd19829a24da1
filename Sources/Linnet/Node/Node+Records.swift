import LinnetReplication
import LinnetStorage
import LinnetWire

extension Node {
    /// Sets fields of a record, creating it when it does not exist.
    ///
    /// A member of a group is named like a field; members that are not named keep their value.
    ///
    /// - Parameters:
    ///   - intent: 1 to 64 bytes that name the caller's wish; repeating a call with the same intent
    ///     changes nothing and returns the first receipt.
    ///   - durability: whether the call waits until the change is safe from a power cut.
    @discardableResult
    public func set(
        _ collection: String, _ id: String, _ fields: [String: Value], intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.set(collection, id, fields)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Deletes a record; nothing happens when it does not exist.
    @discardableResult
    public func delete(_ collection: String, _ id: String) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.delete(collection, id)
        return try commit(transaction)
    }

    /// Carries out changes that become visible together, here at once and elsewhere later.
    @discardableResult
    public func commit(
        _ transaction: Transaction, intent: String? = nil, durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        let writes = try transaction.changes.map { (change) throws(LinnetError) in
            try write(for: change)
        }
        let receipt = try carryOut(
            writes, intent: intent.map { Array($0.utf8) }, durability: durability)
        return WriteReceipt(
            commit: receipt.commit.description, batches: receipt.batches,
            operations: receipt.operations, isDurable: receipt.durable,
            isRepeated: receipt.repeated)
    }

    /// The record as it is visible now; nil when there is none.
    public func get(_ collection: String, _ id: String) throws(LinnetError) -> Record? {
        let collection = try self.collection(named: collection)
        let id = try recordID(id)
        return try reading { (replica) throws(ReplicaError) in
            try replica.record(collection.id, id)
        }.map { Record($0, of: collection) }
    }

    /// Every record of a collection, in the bytewise order of the identifiers.
    public func list(_ collection: String) throws(LinnetError) -> [Record] {
        let collection = try self.collection(named: collection)
        return try reading { (replica) throws(ReplicaError) in
            try replica.records(collection.id)
        }.map { Record($0, of: collection) }
    }

    func carryOut(
        _ writes: [Write], intent: [UInt8]?, durability: WriteDurability
    ) throws(LinnetError) -> CommitReceipt {
        try running()
        let now = SystemClock.now()
        do {
            guard
                let (receipt, effects) = try replica?.commit(
                    writes, intent: intent,
                    durability: durability == .durable ? .full : .relaxed, at: now)
            else { throw LinnetError.stopped }
            if durability == .relaxed, flushDeadline == nil {
                flushDeadline = now.uptimeMilliseconds + Self.relaxedMilliseconds
            }
            perform(effects)
            return receipt
        } catch let error as ReplicaError {
            throw failed(error)
        } catch {
            throw .stopped
        }
    }

    private static var relaxedMilliseconds: Int64 { 1_000 }

    /// A failure of the store ends the node: nothing more may be said.
    func failed(_ error: ReplicaError) -> LinnetError {
        let told = LinnetError(error)
        if case .storage = error { shutDown(reason: told.description) }
        return told
    }

    func reading<Result>(
        _ body: (borrowing Replica) throws(ReplicaError) -> Result
    ) throws(LinnetError) -> Result {
        do throws(ReplicaError) {
            switch replica {
            case .some(let replica): return try body(replica)
            case .none: break
            }
        } catch {
            throw LinnetError(error)
        }
        throw absence
    }

    func collection(named name: String) throws(LinnetError) -> Collection {
        do {
            return try schema.collection(named: name)
        } catch {
            throw .schema(error)
        }
    }

    private func recordID(_ text: String) throws(LinnetError) -> RecordID {
        guard let id = RecordID(text) else { throw .badRecordID(text) }
        return id
    }

    private func write(for change: Transaction.Change) throws(LinnetError) -> Write {
        switch change {
        case .delete(let name, let id):
            return .delete(
                collection: try collection(named: name).id, record: try recordID(id))
        case .set(let name, let id, let values):
            let collection = try collection(named: name)
            let record = try recordID(id)
            do throws(SchemaError) {
                return .set(
                    collection: collection.id, record: record,
                    fields: try FieldWrite.list(values, in: collection))
            } catch {
                throw .schema(error)
            }
        }
    }
}

extension FieldWrite {
    /// One write for each field, in the order of the schema, whatever the order of the names.
    static func list(
        _ values: [String: Value], in collection: Collection
    ) throws(SchemaError) -> [FieldWrite] {
        var members: [UInt32: [Int: Value]] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let path = try FieldPath(name, in: collection)
            for (member, value) in try path.values(of: value) {
                members[path.field.id, default: [:]][member] = value
            }
        }
        return collection.fields.compactMap { field in
            members[field.id].map { written in
                FieldWrite(
                    field.id, members: written.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                )
            }
        }
    }
}

extension Record {
    init(_ view: RecordView, of collection: Collection) {
        self.init(
            collection: collection.name, id: view.id.description,
            cells: view.fields.flatMap { shown in
                Cell.cells(of: collection.field(id: shown.field), shown.values)
            })
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
