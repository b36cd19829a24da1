/// A file that is here now.
package struct ControlAttachment: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 179
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.name, \.mediaType, \.byteCount, \.hash, \.path)
    }

    /// Its name.
    package var name: String
    /// Its media type; empty when it is not known.
    package var mediaType: String
    /// The length of its content, in bytes.
    package var byteCount: UInt64
    /// BLAKE2b-256 of its content, in hexadecimal digits.
    package var hash: String
    /// The path to which it was written; empty when it was not.
    package var path: String

    /// Joins the facts.
    package init(
        name: String, mediaType: String, byteCount: UInt64, hash: String, path: String
    ) {
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.hash = hash
        self.path = path
    }
}
