import LinnetCRDT
import LinnetReplication

/// The content of an attached file, as a sequence of pieces of at most 896 KiB.
///
/// What is not on this device is fetched when the first piece is asked for. The sequence ends after
/// the last piece only when all of them together are what the record says; else it throws.
public struct AttachmentContent: AsyncSequence, Sendable {
    /// A piece of the content.
    public typealias Element = [UInt8]
    /// The error that ends it.
    public typealias Failure = LinnetError

    /// The file.
    public let attachment: Attachment
    let node: Node
    let file: FileValue

    init(_ file: FileValue, of node: Node) {
        attachment = Attachment(file)
        self.node = node
        self.file = file
    }

    /// Begins at the first piece.
    public func makeAsyncIterator() -> Iterator { Iterator(content: self) }

    /// Hands out one piece after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let content: AttachmentContent
        private var reading: OpenContent?

        init(content: AttachmentContent) { self.content = content }

        /// Returns the next piece; nil after the last one.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LinnetError) -> [UInt8]? {
            if reading == nil {
                try await content.node.fetch(content.file, idle: nil) { _ in }
                reading = OpenContent(content.file)
            }
            guard let reading else { return nil }
            return try await content.node.read(reading)
        }

        /// Returns the next piece; nil after the last one.
        public mutating func next() async throws(LinnetError) -> [UInt8]? {
            try await next(isolation: nil)
        }
    }
}

/// The place up to which a content was read; only its node looks into it.
final class OpenContent: @unchecked Sendable {
    var reader: FileReader

    init(_ file: FileValue) { reader = FileReader(file) }
}
