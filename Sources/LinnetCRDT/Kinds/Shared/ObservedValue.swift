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
