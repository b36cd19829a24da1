package import LinnetWire

/// An opinion of a record: of a restriction, or as acceptance of the device that an add admits.
package struct VotePayload: Equatable, Sendable {
    /// False against the record.
    package let isFor: Bool
    /// The record.
    package let record: MemberRecordID

    /// An opinion of a record.
    package init(isFor: Bool, record: MemberRecordID) {
        self.isFor = isFor
        self.record = record
    }

    init(decoding bytes: [UInt8]) throws(MembershipError) {
        (isFor, record) = try CanonicalForm.read(bytes) { (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return (try reader.bool(), try reader.bytes32())
        }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.bool(isFor)
        writer.bytes(record)
    }
}
