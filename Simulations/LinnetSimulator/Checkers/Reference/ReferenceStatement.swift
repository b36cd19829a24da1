import LinnetCRDT

/// The meaning of an operation, read once.
enum ReferenceStatement {
    /// A single value, a group, a place in an order or a file: its payload as it stands.
    case register
    case value(ObservedValue)
    case entry(TallyEntryPayload)
    case base(TallyBasePayload)
    case addition(ObservedValue)
    case removal(ObservedValue)
    case insertion(TextInsertion)
    case copy(TextCopy)
    case deletion(TextDeletion)
    /// The largest value wins, or the smallest.
    case extreme(isSmallest: Bool)
    case log
    case delete(CausalContext)
    case restore
    /// Nothing that anybody understands.
    case unreadable

    init(_ operation: Operation) {
        do {
            self = try ReferenceStatement(
                OperationKind(rawValue: operation.kind), operation.payload)
        } catch {
            self = .unreadable
        }
    }

    private init(_ kind: OperationKind?, _ payload: [UInt8]) throws(CRDTError) {
        switch kind {
        case .lwwSet, .groupSet, .orderMove, .fileSet: self = .register
        case .mvSet: self = .value(try ObservedValue(decoding: payload))
        case .tallyEntry: self = .entry(try TallyEntryPayload(decoding: payload))
        case .tallyBase: self = .base(try TallyBasePayload(decoding: payload))
        case .setAdd: self = .addition(try ObservedValue(decoding: payload))
        case .setRemove: self = .removal(try ObservedValue(decoding: payload))
        case .textInsert: self = .insertion(try TextInsertion.decode(payload))
        case .textCopy: self = .copy(try TextCopy.decode(payload))
        case .textDelete: self = .deletion(try TextDeletion.decode(payload))
        case .maxSet: self = .extreme(isSmallest: false)
        case .minSet: self = .extreme(isSmallest: true)
        case .logInsert: self = .log
        case .recordDelete: self = .delete(try CausalContext(decoding: payload))
        case .recordRestore: self = .restore
        case .textMark, nil: self = .unreadable
        }
    }

    /// The bytes that say the same again; nil where there is nothing to encode.
    var payload: [UInt8]? {
        switch self {
        case .value(let written), .addition(let written), .removal(let written): written.payload
        case .entry(let entry): entry.payload
        case .base(let base): base.payload
        case .insertion(let insertion): try? insertion.encoded()
        case .copy(let copy): try? copy.encoded()
        case .deletion(let deletion): try? deletion.encoded()
        case .delete(let context): context.payload
        case .register, .extreme, .log, .restore, .unreadable: nil
        }
    }

    /// True when it changes a field or writes a record, rather than ending or continuing one.
    var isWrite: Bool {
        switch self {
        case .delete, .restore, .unreadable: false
        default: true
        }
    }
}
