import LinnetCRDT
import LinnetWire

/// What the schema says of the operations of one batch, record by record.
struct MergeRules {
    private var collection: Collection?
    /// Whether the record at hand belongs into the batch's scope.
    private var isInPlace = false
    /// Whether that holds for every record of the collection.
    private var isForAll = false
    /// What a delete means for the record at hand.
    private(set) var policy = DeletePolicy.deleteWins
    /// For each shape of the batch what is admitted at sight; nil before it was looked up.
    private var plain: [PlainPayloads?]

    /// Knows nothing yet about a batch with so many shapes.
    init(_ shapes: Int) {
        plain = [PlainPayloads?](repeating: nil, count: shapes)
    }

    /// Goes on to a record of a batch that lies in `scope`.
    mutating func enter(
        _ key: RecordKey, in scope: ScopeID, schema: LinnetCRDT.Schema,
        scopeID: (String) -> ScopeID?
    ) {
        if isForAll, collection?.id == key.collection { return }
        collection = schema.collection(id: key.collection)
        policy = collection?.deletePolicy ?? .deleteWins
        guard let rule = collection?.scope else {
            isInPlace = false
            isForAll = false
            return
        }
        isInPlace = rule.scope(of: key.record).map { scopeID($0) == scope } ?? false
        if case .divided = rule { isForAll = false } else { isForAll = true }
    }

    /// Whether an operation on the record at hand takes effect, told from its shape and a look at
    /// its payload; false says nothing.
    mutating func admitsAtSight(_ operations: Operations, _ entry: Operations.Entry) -> Bool {
        guard isInPlace else { return false }
        if plain[entry.shape] == nil {
            plain[entry.shape] =
                collection?.plainPayloads(for: operations.shapes[entry.shape]) ?? []
        }
        return plain[entry.shape]?.contains(operations.bytes, in: entry.payload) ?? false
    }

    /// A field that only a newer schema knows merges where the latest value wins; of other kinds it
    /// waits for the upgrade, when everything is folded again.
    func admission(of operation: Operation) -> Admission {
        guard let collection else { return .unknown }
        guard isInPlace else { return .quarantined(.wrongScope) }
        let judged = collection.admission(of: operation)
        if judged == .admitted, operation.kind == OperationKind.textCopy.rawValue,
            (try? TextCopy.decode(operation.payload))?.isNamedByItsText != true
        {
            return .quarantined(.badPayload)
        }
        guard judged == .unknown else { return judged }
        let rules = OperationKind(rawValue: operation.kind)?.rules
        return rules?.mergesUnknownFields == true ? .admitted : .unknown
    }
}
