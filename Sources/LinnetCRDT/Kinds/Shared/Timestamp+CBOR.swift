import LinnetWire

extension Timestamp {
    /// Reads a non-negative integer of 63 bits.
    init(from reader: inout CBORReader) throws(WireError) {
        guard let stamp = Timestamp(rawValue: try reader.signed()) else { throw .tooLarge }
        self = stamp
    }
}
