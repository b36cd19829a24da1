/// What a device holds and shows, signed by it, to be kept or handed to another device.
///
/// Two certificates of different devices with one ``vectorDigest`` prove that both held the same
/// changes, and with one ``visibleDigest`` that both showed the same.
public struct ConvergenceCertificate: Equatable, Sendable {
    /// The device that signed it.
    public let device: Device
    /// When it was signed, by that device's clock, in Unix milliseconds.
    public let signedMilliseconds: Int64
    /// 64 hexadecimal digits that are equal where the same changes are held.
    public let vectorDigest: String
    /// 64 hexadecimal digits that are equal where the same is shown, as ``Node/digest()`` says.
    public let visibleDigest: String
    /// The certificate as bytes for a file.
    public let bytes: [UInt8]

    /// Whether two devices held and showed the same.
    public func agrees(with other: ConvergenceCertificate) -> Bool {
        vectorDigest == other.vectorDigest && visibleDigest == other.visibleDigest
    }
}
