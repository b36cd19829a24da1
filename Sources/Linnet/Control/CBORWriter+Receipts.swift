import LinnetReplication
import LinnetWire

extension CBORWriter {
    mutating func receipt(_ receipt: ControlReceipt) {
        bytes(receipt.commit)
        unsigned(receipt.batches)
        unsigned(receipt.operations)
        bool(receipt.repeated)
        outcome(receipt.outcome)
    }

    private mutating func outcome(_ outcome: WriteOutcome) {
        switch outcome {
        case .visible:
            array(1)
            unsigned(0)
        case .unchanged:
            array(1)
            unsigned(1)
        case .hidden(let writes, let count):
            array(3)
            unsigned(2)
            unsigned(UInt64(count))
            list(writes) { $0.hidden($1) }
        case .unknown:
            array(1)
            unsigned(3)
        }
    }

    private mutating func hidden(_ write: HiddenWrite) {
        array(4)
        text(write.collection)
        text(write.id)
        optional(write.field) { $0.text($1) }
        unsigned(UInt64(write.reason.rawValue))
    }
}

extension CBORReader {
    mutating func receipt() throws(WireError) -> ControlReceipt {
        ControlReceipt(
            commit: try bytes16(), batches: try unsigned(), operations: try unsigned(),
            repeated: try bool(), outcome: try outcome())
    }

    private mutating func outcome() throws(WireError) -> WriteOutcome {
        let count = try array(max: 3)
        switch (try unsigned(), count) {
        case (0, 1): return .visible
        case (1, 1): return .unchanged
        case (2, 3):
            let count = try number(Int.self)
            return .hidden(
                try list { (reader) throws(WireError) in try reader.hidden() }, count: count)
        case (3, 1): return .unknown
        default: throw .unexpectedType
        }
    }

    private mutating func hidden() throws(WireError) -> HiddenWrite {
        try array(exactly: 4)
        let collection = try text(max: .max)
        let id = try text(max: .max)
        let field = try optional { (reader) throws(WireError) in try reader.text(max: .max) }
        guard let reason = HiddenReason(rawValue: try number(UInt8.self)) else {
            throw .unexpectedType
        }
        return HiddenWrite(collection: collection, id: id, field: field, reason: reason)
    }
}
