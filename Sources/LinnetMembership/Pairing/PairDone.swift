package import LinnetWire

/// A newcomer's answer once its membership is stored.
package struct PairDone: Equatable, Sendable {
    /// The record that admitted it.
    package let admission: MemberRecordID

    /// Confirms an admission.
    package init(admission: MemberRecordID) {
        self.admission = admission
    }

    /// The message body.
    package func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(1)
        writer.bytes(admission)
        return writer.bytes
    }

    /// Reads a message body.
    package init(decoding body: [UInt8]) throws(MembershipError) {
        admission = try CanonicalForm.read(body) { (reader) throws(WireError) in
            try reader.array(exactly: 1)
            return try reader.bytes32()
        }
    }
}
