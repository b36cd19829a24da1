import LinnetWire

/// One batch on its way: with its header, or with what does not follow from the batch before.
struct BatchMessage: Equatable, Sendable {
    enum Form: Equatable, Sendable {
        case full(header: [UInt8])
        case continued(nonce: [UInt8])
    }

    static let nonceBytes = 24
    static let headerBytesMaximum = 512

    var form: Form
    var ciphertext: [UInt8]
    var signature: [UInt8]

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(4)
        switch form {
        case .full(let header):
            writer.unsigned(0)
            writer.bytes(header)
        case .continued(let nonce):
            writer.unsigned(1)
            writer.bytes(nonce)
        }
        writer.bytes(ciphertext)
        writer.bytes(signature)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> BatchMessage {
        var reader = CBORReader(body)
        try reader.array(exactly: 4)
        let form: Form
        switch try reader.unsigned(max: 1) {
        case 0:
            form = .full(header: try reader.bytes(max: headerBytesMaximum))
        default:
            let nonce = try reader.bytes(max: nonceBytes)
            guard nonce.count == nonceBytes else { throw .badLength }
            form = .continued(nonce: nonce)
        }
        let ciphertext = try reader.bytes(max: Limits.batchCiphertextBytes)
        let signature = try reader.bytes(max: 64)
        guard signature.count == 64 else { throw .badLength }
        try reader.finish()
        return BatchMessage(form: form, ciphertext: ciphertext, signature: signature)
    }
}
