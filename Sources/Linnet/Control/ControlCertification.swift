import LinnetWire

/// A request about certificates.
package enum ControlCertification: Equatable, Sendable {
    /// Sign what this device holds now: answered by `certificate`.
    case own
    /// Check a certificate from a file: answered by `certificate`.
    case check([UInt8])
    /// List what this device and others signed for each other: answered by `agreements`.
    case kept
    /// Exchange with these peers, or with every device that is found, and then sign for each other:
    /// answered by `agreements`.
    case exchange(peers: [String], discovers: Bool, timeoutMilliseconds: UInt64)
}

extension CBORWriter {
    mutating func certification(_ request: ControlCertification) {
        switch request {
        case .own:
            array(1)
            unsigned(0)
        case .check(let bytes):
            array(2)
            unsigned(1)
            self.bytes(bytes)
        case .kept:
            array(1)
            unsigned(2)
        case .exchange(let peers, let discovers, let timeout):
            array(4)
            unsigned(3)
            texts(peers)
            bool(discovers)
            unsigned(timeout)
        }
    }

    mutating func agreement(_ agreement: ConvergenceAgreement) {
        array(2)
        certificate(agreement.own)
        certificate(agreement.theirs)
    }

    mutating func certificate(_ certificate: ConvergenceCertificate) {
        array(6)
        text(certificate.device.id)
        text(certificate.device.name)
        signed(certificate.signedMilliseconds)
        text(certificate.vectorDigest)
        text(certificate.visibleDigest)
        bytes(certificate.bytes)
    }
}

extension CBORReader {
    mutating func certification() throws(WireError) -> ControlCertification {
        let count = try array(max: 4)
        switch (try unsigned(), count) {
        case (0, 1): return .own
        case (1, 2): return .check(try bytes(max: .max))
        case (2, 1): return .kept
        case (3, 4):
            return .exchange(
                peers: try texts(), discovers: try bool(), timeoutMilliseconds: try unsigned())
        default: throw .unexpectedType
        }
    }

    mutating func agreement() throws(WireError) -> ConvergenceAgreement {
        try array(exactly: 2)
        return ConvergenceAgreement(own: try certificate(), theirs: try certificate())
    }

    mutating func certificate() throws(WireError) -> ConvergenceCertificate {
        try array(exactly: 6)
        return ConvergenceCertificate(
            device: Device(id: try text(max: .max), name: try text(max: .max)),
            signedMilliseconds: try signed(),
            vectorDigest: try text(max: .max), visibleDigest: try text(max: .max),
            bytes: try bytes(max: .max))
    }
}
