import LinnetWire

/// Turns bytes whose length our own code fixes into identifiers.
enum ExactLength {
    /// Eight bytes as one value.
    static func bytes8(_ bytes: [UInt8]) -> Bytes8 {
        guard let value = Bytes8(bytes) else {
            preconditionFailure("a short identifier has 8 bytes, not \(bytes.count)")
        }
        return value
    }

    /// Sixteen bytes as one value.
    static func bytes16(_ bytes: [UInt8]) -> Bytes16 {
        guard let value = Bytes16(bytes) else {
            preconditionFailure("a name has 16 bytes, not \(bytes.count)")
        }
        return value
    }

    /// The 32 bytes of a hash or public key as one value.
    static func bytes32(_ bytes: [UInt8]) -> Bytes32 {
        guard let value = Bytes32(bytes) else {
            preconditionFailure("a hash or public key has 32 bytes, not \(bytes.count)")
        }
        return value
    }
}
