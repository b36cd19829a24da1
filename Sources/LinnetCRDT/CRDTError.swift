package import LinnetWire

/// The fault of a value, an operation or a batch that is refused.
package enum CRDTError: Error, Equatable, Sendable {
    /// The bytes break the wire format, in the way that the inner error names.
    case wire(WireError)
    /// A value has a form that this version does not know.
    case unknownValue
    /// A value exceeds `Limits.valueBytes`, or a number exceeds its range.
    case valueTooLarge
    /// Lists are nested deeper than `Limits.valueDepth`.
    case valueTooDeep
    /// A floating-point value is not a number.
    case notANumber
    /// A record identifier is empty, too long or holds a control character.
    case badRecordID
    /// A batch has a format or a body encoding that this version does not know.
    case unknownFormat
    /// A sequence number is zero or does not go with its predecessor's hash.
    case badSequence
    /// A required attribute is missing, or one is out of its range.
    case badAttribute
    /// A stamp lies at 2^47 milliseconds or later.
    case stampTooLarge
    /// A batch holds more operations or bytes than it may.
    case batchTooLarge
}
