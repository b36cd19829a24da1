package import Linnet

/// Writes convergence certificates for programs.
package enum CertificateText {
    /// Returns a certificate as an object.
    package static func json(_ certificate: ConvergenceCertificate) -> JSON {
        [
            "device": .text(certificate.device.id), "name": .text(certificate.device.name),
            "signedMilliseconds": .integer(certificate.signedMilliseconds),
            "vectorDigest": .text(certificate.vectorDigest),
            "visibleDigest": .text(certificate.visibleDigest),
        ]
    }

    /// Returns an agreement as an object, and whether it holds of `own`, this device's certificate
    /// as it is now; null where that is not known.
    package static func json(
        _ agreement: ConvergenceAgreement, now own: ConvergenceCertificate?
    ) -> JSON {
        let still = own.flatMap { own in
            own.isComparable(with: agreement.theirs)
                ? JSON.bool(own.agrees(with: agreement.theirs)) : nil
        }
        return [
            "agrees": .bool(agreement.holds), "still": still ?? .null,
            "own": json(agreement.own), "theirs": json(agreement.theirs),
        ]
    }
}
