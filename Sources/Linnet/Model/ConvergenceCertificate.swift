/// A statement of what a device holds and shows, which it signed; it can be kept, or handed to
/// another device.
///
/// Two certificates of different devices with one ``vectorDigest`` prove that both held the same
/// changes, and with one ``visibleDigest`` that both showed the same.
public struct ConvergenceCertificate: Equatable, Sendable {
    /// The device that signed it.
    public let device: Device
    /// The time of signing by that device's clock, in Unix milliseconds.
    public let signedMilliseconds: Int64
    /// 64 hexadecimal digits that are equal where the same changes are held.
    public let vectorDigest: String
    /// 64 hexadecimal digits that are equal where the same is shown, as in ``Node/digest()``, or,
    /// between this device and one of 0.1.0, as that release shows them.
    public let visibleDigest: String
    /// The certificate as bytes for a file.
    public let bytes: [UInt8]

    /// Joins the facts.
    package init(
        device: Device, signedMilliseconds: Int64, vectorDigest: String, visibleDigest: String,
        bytes: [UInt8]
    ) {
        self.device = device
        self.signedMilliseconds = signedMilliseconds
        self.vectorDigest = vectorDigest
        self.visibleDigest = visibleDigest
        self.bytes = bytes
    }

    /// True when both name what was shown by digests of one kind; up to 0.1.0 devices sign another
    /// kind, also for each newer device that they meet.
    public func isComparable(with other: ConvergenceCertificate) -> Bool {
        digestKind == other.digestKind
    }

    /// The number in the bytes that says which digest was signed.
    private var digestKind: UInt8? { bytes.dropFirst(2).first }

    /// Returns true when two devices held and showed the same.
    public func agrees(with other: ConvergenceCertificate) -> Bool {
        vectorDigest == other.vectorDigest && visibleDigest == other.visibleDigest
    }
}

/// The certificates that this device and another one signed for each other in one session.
public struct ConvergenceAgreement: Equatable, Sendable {
    /// This device's certificate.
    public let own: ConvergenceCertificate
    /// The other device's certificate.
    public let theirs: ConvergenceCertificate

    /// True when both held and showed the same then.
    public var holds: Bool { own.agrees(with: theirs) }

    /// Joins two certificates.
    package init(own: ConvergenceCertificate, theirs: ConvergenceCertificate) {
        self.own = own
        self.theirs = theirs
    }
}
