import LinnetCRDT
import LinnetReplication
import LinnetWire

extension Node {
    /// Returns the changes of a record or of one field, newest first, those included that lost,
    /// have no effect or wait.
    ///
    /// Reads the batches of the record's scope from the newest back until `limit` changes were
    /// found, which is all of them for a record with fewer.
    public func history(
        _ collection: String, _ id: String, field: String? = nil, limit: Int = 100
    ) throws(LinnetError) -> [HistoryEntry] {
        let collection = try self.collection(named: collection)
        let number = try field.map { (name) throws(LinnetError) in
            try self.field(named: name, in: collection).id
        }
        return try history(collection, try recordID(id), field: number, limit: limit)
    }

    /// Explains the value of a field: who wrote it, what lost, who has it, and what waits.
    ///
    /// Reads what `history` reads, for the 64 latest changes of the field.
    public func why(
        _ collection: String, _ id: String, _ field: String
    ) throws(LinnetError) -> Explanation {
        let collection = try self.collection(named: collection)
        let field = try self.field(named: field, in: collection)
        return try why(collection, try recordID(id), field)
    }

    func history(
        _ collection: Collection, _ id: RecordID, field: UInt32?, limit: Int
    ) throws(LinnetError) -> [HistoryEntry] {
        let key = RecordKey(collection: collection.id, record: id)
        let isLog = collection.kind == .log
        return try reading { (replica) throws(ReplicaError) in
            try replica.reading.history(of: key, field: isLog ? nil : field, limit: limit)
        }.map { entry($0, in: collection) }
    }

    func why(
        _ collection: Collection, _ id: RecordID, _ field: Field
    ) throws(LinnetError) -> Explanation {
        let key = RecordKey(collection: collection.id, record: id)
        let (report, view) = try reading { (replica) throws(ReplicaError) in
            (
                try replica.reading.report(of: key, field: field.id),
                try replica.reader.record(key.collection, id)
            )
        }
        let shown = view?.fields.first { $0.field == field.id }?.values
        return Explanation(
            field: field.name,
            value: shown.map { field.kind == .group ? .list($0) : $0.first ?? .null },
            rule: collection.kind == .log
                ? "A record of a log is written once and never changes." : field.kind.rules.rule,
            winners: report.winners.map { entry($0, in: collection) },
            others: report.others.map { entry($0, in: collection) },
            holders: report.holders.map { holder in
                let holding: Explanation.Holding =
                    switch holder.holds {
                    case true?: .holds
                    case false?: .lacks
                    case nil: .unknown
                    }
                return Explanation.Holder(device: named(holder.device), holding: holding)
            },
            waiting: report.waiting)
    }

    private func field(
        named name: String, in collection: Collection
    ) throws(LinnetError) -> Field {
        do throws(SchemaError) {
            return try FieldPath(name, in: collection).field
        } catch {
            throw .schema(error)
        }
    }

    private func entry(_ op: LoggedOp, in collection: Collection) -> HistoryEntry {
        let field = collection.field(id: op.operation.field)
        let content = WrittenContent(op.operation, field)
        return HistoryEntry(
            id: op.position.text, field: op.operation.field == 0 ? nil : field?.name ?? "?",
            action: content.action, value: content.value, key: content.key,
            device: named(op.device), broughtBy: op.broughtBy.map(named),
            writtenMilliseconds: op.written.milliseconds,
            stampMilliseconds: op.stamp.milliseconds,
            isTimeBelieved: !HybridLogicalClock.isAhead(
                max(op.written, op.stamp), of: SystemClock.now().wallMilliseconds),
            fate: HistoryEntry.Fate(op.fate))
    }
}

extension Position {
    /// The place of an operation, for people: the beginning of its chain's name, its batch and
    /// index.
    fileprivate var text: String { "\(chain.description.prefix(16))/\(seq)/\(index)" }
}

extension HistoryEntry.Fate {
    fileprivate init(_ fate: LoggedOp.Fate) {
        self =
            switch fate {
            case .shows: .shows
            case .lost(let winner): .lost(to: winner?.text)
            case .deleted: .deleted
            case .quarantined(let reason): .quarantined(reason.sentence)
            case .unknown: .unknown
            case .waiting(let reason): .waiting(reason)
            }
    }
}

extension QuarantineReason {
    fileprivate var sentence: String {
        switch self {
        case .badGeneration: "it names a life of the record that cannot be"
        case .badField: "it names a field where it may not, or none where it must"
        case .wrongKind: "it is of another kind than its field"
        case .badPayload: "what it says is malformed, or of another type than its field"
        case .wrongScope: "it came in another scope than its record's"
        case .immutable: "the collection allows no such change"
        case .tooLarge: "its record grew too large for this device and was set aside"
        }
    }
}
