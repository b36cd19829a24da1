import LinnetWire

extension CausalContext {
    /// The canonical bytes as the payload of a delete.
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
