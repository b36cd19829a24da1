import CSodium

/// The group ristretto255 (RFC 9496).
package enum Ristretto {
    /// Number of bytes of an encoded element and of a scalar.
    package static let elementBytes = 32
    /// Number of uniform bytes from which an element or a scalar is made.
    package static let uniformBytes = 64

    /// The element that 64 uniform bytes map to (RFC 9496 section 4.3.4).
    package static func element(from uniform: borrowing SecretBytes) -> [UInt8] {
        precondition(uniform.count == uniformBytes, "an element is made from 64 bytes")
        return unsafe [UInt8](count: elementBytes) { target in
            unsafe uniform.withPointer { uniform in
                _ = unsafe crypto_core_ristretto255_from_hash(target, uniform)
            }
        }
    }

    /// The scalar that 64 uniform bytes reduce to, modulo the group order.
    package static func scalar(reducing uniform: borrowing SecretBytes) -> SecretBytes {
        precondition(uniform.count == uniformBytes, "a scalar is reduced from 64 bytes")
        return unsafe uniform.withPointer { uniform in
            unsafe SecretBytes(count: elementBytes) { target in
                unsafe crypto_core_ristretto255_scalar_reduce(target, uniform)
            }
        }
    }

    /// `scalar` times the element encoded in `point`.
    ///
    /// Throws ``CryptoError/badLength`` for a wrong length, and ``CryptoError/badKey`` when the
    /// encoding is invalid or the result is the identity.
    package static func multiply(
        _ scalar: borrowing SecretBytes, _ point: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        precondition(scalar.count == elementBytes, "a ristretto255 scalar has 32 bytes")
        guard point.count == elementBytes else { throw .badLength }
        var status: CInt = 0
        let product = unsafe scalar.withPointer { scalar in
            unsafe SecretBytes(count: elementBytes) { target in
                status = unsafe crypto_scalarmult_ristretto255(
                    target, scalar, point)
            }
        }
        guard status == 0 else { throw .badKey }
        return product
    }
}
