import LinnetCRDT
import LinnetWire

/// I18: decoding and encoding are each other's inverse.
extension Inspector {
    func checkEncoding(_ fact: Fact, _ header: [UInt8]) throws(Violation) {
        guard let plaintext = try? fact.body.encodePlaintext(),
            let again = try? BatchBody.decode(plaintext: plaintext), again == fact.body
        else {
            throw Violation(
                .canonicalEncoding, "batch \(fact.seq) is not the same after it was encoded")
        }
        guard let decoded = try? BatchHeader.decode(header), decoded.encoded == header else {
            throw Violation(
                .canonicalEncoding, "the header of batch \(fact.seq) is not canonical")
        }
        for operation in fact.body.operations {
            guard let again = Statement(operation).payload, again != operation.payload else {
                continue
            }
            throw Violation(
                .canonicalEncoding, "a payload of batch \(fact.seq) has two encodings")
        }
        for operation in fact.body.operations where operation.field > 0 {
            guard let value = try? Value.decode(operation.payload) else { continue }
            guard let bytes = try? value.encoded(), bytes == operation.payload else {
                throw Violation(
                    .canonicalEncoding, "a value of batch \(fact.seq) has two encodings")
            }
        }
    }
}
