package import LinnetWire

/// What is wrong with a value, an operation or a batch.
package enum CRDTError: Error, Equatable, Sendable {
    /// The bytes are not in canonical form.
    case wire(WireError)
    /// A value of a form that this version does not know.
    case unknownValue
    /// A value exceeds `Limits.valueBytes` or a number its range.
    case valueTooLarge
    /// Lists are nested deeper than `Limits.valueDepth`.
    case valueTooDeep
    /// A floating-point value is not a number.
    case notANumber
    /// A record identifier is empty, too long or holds a control character.
    case badRecordID
    /// A batch format or body encoding that this version does not know.
    case unknownFormat
    /// A sequence number of zero, or one that does not go with its predecessor's hash.
    case badSequence
    /// A required attribute is missing, or one is out of its range.
    case badAttribute
    /// A stamp of 2^47 milliseconds or more.
    case stampTooLarge
    /// More operations or bytes than a batch may hold.
    case batchTooLarge
}
