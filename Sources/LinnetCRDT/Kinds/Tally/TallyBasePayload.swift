import LinnetWire

/// The payload of a count: [amount, context].
package struct TallyBasePayload: Equatable, Sendable {
    /// The amount that was counted.
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
