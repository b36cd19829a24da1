import LinnetWire

/// The payload of an op that names a value and the ops it takes the place of:
/// [value, [position, ...]].
package struct ObservedValue: Equatable, Sendable {
    /// The canonical bytes of the value.
    package let value: [UInt8]
    /// The ops of that value, or of the field, that the writer had seen, ascending.
    package let observed: [Position]

    /// Joins the parts.
    package init(value: [UInt8], observed: [Position]) {
        self.value = value
        self.observed = observed
    }

    /// The canonical bytes.
    package var payload: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.raw(value)
        PositionList.write(observed, to: &writer)
        return writer.bytes
    }

    /// Reads the bytes of one payload; throws for anything else.
    package init(decoding payload: [UInt8]) throws(CRDTError) {
        (value, observed) = try LinnetCRDT.decoding(payload) { (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return (try reader.rawItem(), try PositionList.read(from: &reader))
        }
    }
}

/// The payload of an entry of a tally: [key, amount, [position, ...]].
package struct TallyEntryPayload: Equatable, Sendable {
    /// The longest key, in bytes.
    package static let keyBytes = 64

    /// What the amount is for: the same key counts once.
    package let key: String
    /// The signed amount.
    package let amount: Decimal64
    /// The entries of the key that the writer had seen, ascending.
    package let observed: [Position]

    /// Joins the parts.
    package init(key: String, amount: Decimal64, observed: [Position]) {
        self.key = key
        self.amount = amount
        self.observed = observed
    }

    /// The canonical bytes.
    package var payload: [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.text(key)
        writer.raw(amount.encodedAmount)
        PositionList.write(observed, to: &writer)
        return writer.bytes
    }

    /// Reads the bytes of one payload; throws for anything else.
    package init(decoding payload: [UInt8]) throws(CRDTError) {
        let amount: [UInt8]
        (key, amount, observed) = try LinnetCRDT.decoding(payload) { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            let key = try reader.text(max: TallyEntryPayload.keyBytes)
            guard RecordID(key) != nil else { throw .badText }
            return (key, try reader.rawItem(), try PositionList.read(from: &reader))
        }
        self.amount = try Decimal64(encodedAmount: amount)
    }
}

/// The payload of a count: [amount, context].
package struct TallyBasePayload: Equatable, Sendable {
    /// What was counted.
    package let amount: Decimal64
    /// The ops of the field that the writer had seen.
    package let context: CausalContext

    /// Joins the parts.
    package init(amount: Decimal64, context: CausalContext) {
        self.amount = amount
        self.context = context
    }

    /// The canonical bytes.
    package var payload: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.raw(amount.encodedAmount)
        context.write(to: &writer)
        return writer.bytes
    }

    /// Reads the bytes of one payload; throws for anything else.
    package init(decoding payload: [UInt8]) throws(CRDTError) {
        let amount: [UInt8]
        (amount, context) = try LinnetCRDT.decoding(payload) { (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return (try reader.rawItem(), try CausalContext(from: &reader))
        }
        self.amount = try Decimal64(encodedAmount: amount)
    }
}

extension CausalContext {
    /// The canonical bytes, as the payload of a delete.
    package var payload: [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Reads the payload of a delete; throws for anything else.
    package init(decoding payload: [UInt8]) throws(CRDTError) {
        self = try LinnetCRDT.decoding(payload) { (reader) throws(WireError) in
            try CausalContext(from: &reader)
        }
    }
}

/// One field of a record of a log, inside the payload of its insertion.
package struct LogCell: Equatable, Sendable {
    /// The field's number.
    package let field: UInt32
    /// The field's payload.
    package let payload: [UInt8]

    /// Joins the parts.
    package init(field: UInt32, payload: [UInt8]) {
        self.field = field
        self.payload = payload
    }

    /// The canonical bytes of a record: [[field, payload], ...], fields ascending.
    package static func encode(_ cells: [LogCell]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(cells.count)
        for cell in cells {
            writer.array(2)
            writer.unsigned(UInt64(cell.field))
            writer.raw(cell.payload)
        }
        return writer.bytes
    }

    /// Reads the bytes of a record; throws unless its fields ascend.
    package static func decode(_ payload: [UInt8]) throws(CRDTError) -> [LogCell] {
        try LinnetCRDT.decoding(payload) { (reader) throws(WireError) in
            var cells: [LogCell] = []
            for _ in 0..<(try reader.array()) {
                try reader.array(exactly: 2)
                let field = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
                guard field > cells.last?.field ?? 0 else { throw .nonCanonical }
                cells.append(LogCell(field: field, payload: try reader.rawItem()))
            }
            return cells
        }
    }
}

extension Decimal64 {
    /// The number as an integer of 64 bits; nil when it is none.
    package var whole: Int64? {
        guard exponent >= 0 else { return nil }
        var number = mantissa
        for _ in 0..<exponent {
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            number = product
        }
        return number
    }

    /// An amount as it travels: an integer where it is one.
    package var encodedAmount: [UInt8] {
        var writer = CBORWriter()
        if let whole {
            writer.signed(whole)
        } else {
            writer.array(3)
            writer.unsigned(Value.decimalForm)
            writer.signed(mantissa)
            writer.signed(Int64(exponent))
        }
        return writer.bytes
    }

    init(encodedAmount bytes: [UInt8]) throws(CRDTError) {
        switch try Value.decode(bytes) {
        case .int(let number):
            guard let decimal = Decimal64(mantissa: number, exponent: 0) else {
                throw .valueTooLarge
            }
            self = decimal
        case .decimal(let decimal):
            guard decimal.whole == nil else { throw .wire(.nonCanonical) }
            self = decimal
        default:
            throw .unknownValue
        }
    }
}

/// Reads all of a payload, within the limit of a value.
func decoding<Result>(
    _ payload: [UInt8], _ body: (inout CBORReader) throws(WireError) -> Result
) throws(CRDTError) -> Result {
    guard payload.count <= Limits.valueBytes else { throw .valueTooLarge }
    var reader = CBORReader(payload)
    return try wire { () throws(WireError) in
        let result = try body(&reader)
        try reader.finish()
        return result
    }
}
