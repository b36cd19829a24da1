import LinnetWire

/// The payload of an entry of a tally: [key, amount, [position, ...]].
package struct TallyEntryPayload: Equatable, Sendable {
    /// The longest key, in bytes.
    package static let keyBytes = 64

    /// The name of what the amount is for; the same key counts once.
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
