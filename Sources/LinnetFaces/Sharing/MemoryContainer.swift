import LinnetCrypto

/// A shared container in memory, for an application's tests.
public struct MemoryContainer: SharedContainer, Sendable {
    /// Memory does not fail.
    public typealias Failure = Never

    private var files: [(file: SharedFile, bytes: [UInt8])] = []

    /// A container without files.
    public init() {}

    /// Reads a file; nil where there is none.
    public func bytes(of file: SharedFile) -> [UInt8]? {
        files.first { $0.file == file }?.bytes
    }

    /// Puts bytes in the place of a file; nil removes it.
    public mutating func replace(_ file: SharedFile, with bytes: [UInt8]?) {
        files.removeAll { $0.file == file }
        if let bytes { files.append((file, bytes)) }
    }

    /// Leaves a snapshot, signed with a key that everybody knows; throws `tooLarge`.
    public mutating func publish(_ snapshot: FaceSnapshot) throws(FacesError) {
        let seed = SecretBytes(copying: [UInt8](repeating: 7, count: SigningKey.keyBytes))
        publish(try SealedSnapshot(snapshot, by: SigningKey(seed: seed)))
    }
}
