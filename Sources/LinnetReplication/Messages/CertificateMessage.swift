import LinnetWire

/// The signed statement of what one side of a session holds and shows, and whether it asks for one
/// in return.
struct CertificateMessage: Equatable, Sendable {
    var wantsAnswer: Bool
    var statement: HoldingStatement

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.bool(wantsAnswer)
        writer.bytes(statement.encoded)
        return writer.bytes
    }

    /// Reads a message and checks the signature in it.
    static func decode(_ body: [UInt8]) throws(WireError) -> CertificateMessage {
        var reader = CBORReader(body)
        try reader.array(exactly: 2)
        let wantsAnswer = try reader.bool()
        let bytes = try reader.bytes(max: Limits.certificateBytes)
        try reader.finish()
        guard let statement = HoldingStatement(decoding: bytes) else { throw .unexpectedType }
        return CertificateMessage(wantsAnswer: wantsAnswer, statement: statement)
    }
}
