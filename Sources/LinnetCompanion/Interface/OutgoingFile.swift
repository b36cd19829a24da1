package import LinnetWire

/// A file as its sender announces it.
package struct OutgoingFile: Equatable, Sendable {
    /// The place at which the shell finds the file; the lanes do not look at it and do not send it.
    package var reference: String
    /// Size of the file.
    package var byteCount: UInt64
    /// The `FileDigest` of the file.
    package var contentHash: Bytes32
    /// The dictionary that goes with the file, at most 12 KiB.
    package var metadata: PropertyDictionary

    /// Describes a file.
    package init(
        reference: String, byteCount: UInt64, contentHash: Bytes32, metadata: PropertyDictionary
    ) {
        self.reference = reference
        self.byteCount = byteCount
        self.contentHash = contentHash
        self.metadata = metadata
    }
}

/// A file as its receiver has it, complete and checked, in the shell's inbox.
package struct ReceivedFile: Equatable, Sendable {
    /// Its transfer, and its name in the inbox.
    package var id: TransferID
    /// Size of the file.
    package var byteCount: UInt64
    /// The `FileDigest` of the file.
    package var contentHash: Bytes32
    /// The dictionary that the sender sent with it.
    package var metadata: PropertyDictionary
    /// True when the sender asks for `processed`.
    package var wantsProcessed: Bool
    /// True when the app was handed this before a restart.
    package var isRepeated: Bool
}
