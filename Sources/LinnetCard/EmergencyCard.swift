import LinnetCrypto
import LinnetWire

/// A record of what one device showed at one moment, signed by it and meant to be shown for some
/// days, to people who have none of the group's devices.
///
/// All names and values are texts, so that a reader needs no schema. The signature proves which key
/// signed; whose key that is, only somebody who knows its words can tell.
public struct EmergencyCard: Equatable, Sendable {
    /// A field with its value, as the device printed it.
    public struct Field: Equatable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let text: String

        /// Joins name and value.
        package init(name: String, text: String) { (self.name, self.text) = (name, text) }
    }

    /// A record with those of its fields that have values.
    public struct Entry: Equatable, Sendable {
        /// The identifier of the record.
        public let id: String
        /// The fields, in the order of the schema.
        public let fields: [Field]

        /// Joins identifier and fields.
        package init(id: String, fields: [Field]) { (self.id, self.fields) = (id, fields) }
    }

    /// The records of a collection.
    public struct Section: Equatable, Sendable {
        /// The name of the collection.
        public let name: String
        /// The records, in the order of their identifiers.
        public let entries: [Entry]

        /// Joins name and records.
        package init(name: String, entries: [Entry]) { (self.name, self.entries) = (name, entries) }
    }

    /// The collections of a scope.
    public struct Scope: Equatable, Sendable {
        /// The name of the scope.
        public let name: String
        /// The collections, in the order of the schema.
        public let sections: [Section]

        /// Joins name and collections.
        package init(name: String, sections: [Section]) {
            (self.name, self.sections) = (name, sections)
        }
    }

    /// The group of the device, in 64 hexadecimal digits.
    public let group: String
    /// The public key of the device that signed, in 64 hexadecimal digits.
    public let device: String
    /// The words that two people compare to be sure of that key.
    public let fingerprint: [String]
    /// The line that says whose card it is; may be empty.
    public let title: String
    /// The time of signing by the device's clock, in Unix milliseconds.
    public let issuedMilliseconds: Int64
    /// The time from which it should not be relied on, in Unix milliseconds.
    public let expiresMilliseconds: Int64
    /// The scopes that it shows.
    public let scopes: [Scope]
    /// The signed bytes; they are not sealed.
    public let bytes: [UInt8]

    /// Reads signed bytes, and checks their signature.
    package init(decoding bytes: [UInt8]) throws(CardError) {
        guard bytes.count <= Limits.cardBytes else { throw .tooLarge }
        let outer: (inner: [UInt8], signature: [UInt8])
        let content: CardContent
        do throws(WireError) {
            var reader = CBORReader(bytes, maxItems: bytes.count)
            try reader.array(exactly: 2)
            outer = (try reader.rawItem(), try reader.bytes(max: SigningKey.signatureBytes))
            try reader.finish()
            content = try CardContent(decoding: outer.inner)
        } catch {
            throw .damaged
        }
        let key = content.device.array
        guard SigningKey.isValid(outer.signature, .card, outer.inner, publicKey: key) else {
            throw .badSignature
        }
        group = content.group.description
        device = content.device.description
        fingerprint = Fingerprint.words(of: key)
        title = content.title
        issuedMilliseconds = content.issuedMilliseconds
        expiresMilliseconds = content.expiresMilliseconds
        scopes = content.scopes
        self.bytes = bytes
    }

    /// Joins a content and the signature over its bytes.
    package init(_ inner: [UInt8], signature: [UInt8]) throws(CardError) {
        var outer = CBORWriter()
        outer.array(2)
        outer.raw(inner)
        outer.bytes(signature)
        try self.init(decoding: outer.bytes)
    }

    /// Returns true from the moment on at which it should not be relied on.
    public func isExpired(atMilliseconds now: Int64) -> Bool { now >= expiresMilliseconds }
}
