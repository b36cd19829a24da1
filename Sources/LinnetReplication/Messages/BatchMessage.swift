import LinnetWire

/// One batch on its way, with its whole header or with only those parts of it that the receiver
/// cannot derive.
struct BatchMessage: Equatable, Sendable {
    enum Form: Equatable, Sendable {
        /// The whole header.
        case full(header: [UInt8])
        /// The batch follows the one sent before; a nil nonce stands for the one after that
        /// batch's.
        case continued(nonce: [UInt8]?)
        /// The batch follows the one that the receiver's `have` listed at this place, from 0.
        case listed(number: Int, nonce: [UInt8]?)
    }

    static let nonceBytes = 24
    static let headerBytesMaximum = 512

    var form: Form
    var ciphertext: [UInt8]
    var signature: [UInt8]

    func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: ciphertext.count + 384)
        switch form {
        case .full(let header):
            writer.array(4)
            writer.unsigned(0)
            writer.bytes(header)
        case .continued(let nonce):
            writer.array(4)
            writer.unsigned(1)
            writer.bytes(nonce ?? [])
        case .listed(let number, let nonce):
            writer.array(5)
            writer.unsigned(2)
            writer.unsigned(UInt64(number))
            writer.bytes(nonce ?? [])
        }
        writer.bytes(ciphertext)
        writer.bytes(signature)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> BatchMessage {
        var reader = CBORReader(body)
        let count = try reader.array()
        let kind = try reader.unsigned(max: 2)
        guard count == (kind == 2 ? 5 : 4) else { throw .badLength }
        let form: Form
        switch kind {
        case 0: form = .full(header: try reader.bytes(max: headerBytesMaximum))
        case 1: form = .continued(nonce: try nonce(from: &reader))
        default:
            let number = try reader.unsigned(max: UInt64(VectorListing.chainsMaximum))
            form = .listed(number: Int(number), nonce: try nonce(from: &reader))
        }
        let ciphertext = try reader.bytes(max: Limits.batchCiphertextBytes)
        let signature = try reader.bytes(max: 64)
        guard signature.count == 64 else { throw .badLength }
        try reader.finish()
        return BatchMessage(form: form, ciphertext: ciphertext, signature: signature)
    }

    private static func nonce(from reader: inout CBORReader) throws(WireError) -> [UInt8]? {
        let nonce = try reader.bytes(max: nonceBytes)
        guard nonce.isEmpty || nonce.count == nonceBytes else { throw .badLength }
        return nonce.isEmpty ? nil : nonce
    }
}
