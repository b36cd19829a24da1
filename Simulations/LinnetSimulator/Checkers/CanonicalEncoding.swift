import LinnetCRDT
import LinnetWire

/// Decoding and encoding are each other's inverse.
final class CanonicalEncoding: Checker {
    let invariant = Invariant.canonicalEncoding
    let sights: [Sight.Kind] = [.learnt]
    private let known: Knowledge

    /// Of so many batches one is encoded again, and of those after the first ones fewer.
    private static let everyBatch = 8
    private static let everyLaterBatch = 64
    private static let firstBatches = 256

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .learnt(let number, let header) = sight else { return }
        let every = number < Self.firstBatches ? Self.everyBatch : Self.everyLaterBatch
        guard (number + 1).isMultiple(of: every) else { return }
        try check(known.catalogue.facts[number], header)
    }

    private func check(_ fact: Fact, _ header: [UInt8]) throws(Violation) {
        guard let plaintext = try? fact.body.encodePlaintext(),
            let again = try? BatchBody.decode(plaintext: plaintext), again == fact.body
        else {
            throw violation("batch \(fact.seq) is not the same after it was encoded")
        }
        guard let decoded = try? BatchHeader.decode(header), decoded.encoded == header else {
            throw violation("the header of batch \(fact.seq) is not canonical")
        }
        for operation in fact.body.operations {
            guard let again = ReferenceStatement(operation).payload, again != operation.payload
            else {
                continue
            }
            throw violation("a payload of batch \(fact.seq) has two encodings")
        }
        for operation in fact.body.operations where operation.field > 0 {
            guard let value = try? Value.decode(operation.payload) else { continue }
            guard let bytes = try? value.encoded(), bytes == operation.payload else {
                throw violation("a value of batch \(fact.seq) has two encodings")
            }
        }
    }
}
