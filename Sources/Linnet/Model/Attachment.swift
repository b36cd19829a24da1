import LinnetCRDT
import LinnetReplication
import LinnetWire

/// A file that a field holds. Its content is kept apart from the record, and fetched when it is
/// wanted.
public struct Attachment: Equatable, Sendable {
    /// The name, without a folder.
    public let name: String
    /// The media type, such as image/png; empty when it is not known.
    public let mediaType: String
    /// The length of the content, in bytes.
    public let byteCount: UInt64
    /// BLAKE2b-256 of the content, in 64 hexadecimal digits.
    public let hash: String

    init(_ file: FileValue) {
        name = file.name
        mediaType = file.mediaType
        byteCount = file.size
        hash = Hex.encode(file.digest)
    }
}

/// The progress of the attaching or the fetching of a file.
public struct AttachmentProgress: Equatable, Sendable {
    /// The bytes of the content that are done.
    public let doneBytes: UInt64
    /// The bytes of the content.
    public let totalBytes: UInt64
}

/// The reason why a file cannot be attached, fetched or read.
public enum AttachmentProblem: Error, Equatable, Sendable {
    /// The field with this name holds no files.
    case wrongField(String)
    /// The field holds no file.
    case noFile
    /// The file at a path cannot be read; the text says why.
    case unreadable(String)
    /// The content cannot be written to a file; the text says why.
    case unwritable(String)
    /// The file's name, or the name that was given to it, is none that a file can have everywhere.
    case badName
    /// The content is not here.
    case notHere
    /// No device that was reached gave the rest of the content within the time.
    case nobodyGivesIt
    /// The content is not what the record says: whoever attached it made a mistake, or lied.
    case altered
    /// The record says something of the file that cannot be so.
    case malformed
    /// The device keeps as many bytes of files as it may.
    case noRoom
    /// The file is larger than 64 GiB.
    case tooLarge
    /// As many files are fetched as may be at a time.
    case tooMany

    init(_ fault: FileFault) {
        self =
            switch fault {
            case .malformed: .malformed
            case .altered: .altered
            case .notHeld: .notHere
            case .noRoom: .noRoom
            case .tooLarge: .tooLarge
            case .tooMany: .tooMany
            }
    }
}

extension AttachmentProblem: CustomStringConvertible {
    /// A sentence for a person that says what is wrong.
    public var description: String {
        switch self {
        case .wrongField(let name): "\(name) holds no files"
        case .noFile: "the field holds no file"
        case .unreadable(let reason): "the file cannot be read: \(reason)"
        case .unwritable(let reason): "the file cannot be written: \(reason)"
        case .badName: "a file's name has 1 to 255 bytes, no '/' and no control characters"
        case .notHere: "the content of the file is not on this device"
        case .nobodyGivesIt: "no device that was reached gave the rest of the file"
        case .altered: "the content is not what the record says of it"
        case .malformed: "what the record says of the file cannot be so"
        case .noRoom: "this device keeps as many bytes of files as it may"
        case .tooLarge: "the file is larger than 64 GiB"
        case .tooMany: "too many files are being fetched"
        }
    }

    var remedy: String {
        switch self {
        case .wrongField: "Name a field of the kind file."
        case .noFile: "Attach one first, or exchange with the device that did."
        case .unreadable, .unwritable: "Check the path and its permissions."
        case .badName: "Give another name."
        case .notHere: "Fetch it while a device is connected that has it."
        case .nobodyGivesIt: "Try again with a device that has it; what came is kept."
        case .altered, .malformed: "Attach the file again."
        case .noRoom: "Fetch it on another device."
        case .tooLarge: "Split it."
        case .tooMany: "Wait until some are here."
        }
    }
}
