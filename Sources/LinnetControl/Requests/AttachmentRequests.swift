package import LinnetCRDT

// These requests are about files that fields hold.

/// A file to attach to a record.
package struct AttachRequest: ControlRequest {
    package typealias Answer = ControlReceipt
    package static let number: UInt64 = 110
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.key, \.field, \.path, \.name, \.mediaType)
    }

    /// The record.
    package var key: RecordKey
    /// The number of the field.
    package var field: UInt32
    /// The absolute path of the file.
    package var path: String
    /// The name that the record holds.
    package var name: String
    /// The media type; empty when it is not known.
    package var mediaType: String

    /// Joins the parts.
    package init(
        key: RecordKey, field: UInt32, path: String, name: String, mediaType: String
    ) {
        self.key = key
        self.field = field
        self.path = path
        self.name = name
        self.mediaType = mediaType
    }
}

/// A file to fetch and to write to a path.
package struct FetchRequest: ControlRequest {
    package typealias Answer = ControlAttachment
    package static let number: UInt64 = 111
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.key, \.field, \.path, \.replaces, \.meeting)
    }

    /// The record.
    package var key: RecordKey
    /// The number of the field.
    package var field: UInt32
    /// The absolute path to write to; empty when the content is only to be here. A path that ends
    /// with a slash is that of the directory in which the file gets its own name.
    package var path: String
    /// True when a file at the path is replaced.
    package var replaces: Bool
    /// The devices to meet by a node that was not started, and the time without progress after
    /// which it gives up.
    package var meeting: ControlMeeting

    /// Joins the parts.
    package init(
        key: RecordKey, field: UInt32, path: String, replaces: Bool, meeting: ControlMeeting
    ) {
        self.key = key
        self.field = field
        self.path = path
        self.replaces = replaces
        self.meeting = meeting
    }
}
