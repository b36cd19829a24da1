import LinnetWire

/// The payload of an op that names a value and the ops whose place it takes: [value, [position,
/// ...]].
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

// This part is shared by the rules of the kinds that name what they replace.
extension ObservedValue {
    /// Returns true when a received payload names a value that the field may hold.
    static func admits(_ payload: [UInt8], in field: Field) -> Bool {
        (try? ObservedValue(decoding: payload)).map { field.admits($0.value) } ?? false
    }

    /// Returns the ops that a payload names as replaced, under the value's bytes as their key.
    static func named(in payload: [UInt8]) -> (key: ByteString, positions: [Position])? {
        (try? ObservedValue(decoding: payload)).map { (ByteString($0.value), $0.observed) }
    }

    /// Returns the value of a payload; nil where this version cannot read it.
    static func shown(in payload: [UInt8]) -> Value? {
        (try? ObservedValue(decoding: payload)).flatMap { try? Value.decode($0.value) }
    }
}
