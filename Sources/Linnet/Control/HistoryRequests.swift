package import LinnetCRDT
package import LinnetControl

// These requests look back, in words of the public model.

/// The changes of a record or of one field of it, newest first.
package struct HistoryRequest: ControlRequest {
    package typealias Answer = [HistoryEntry]
    package static let number: UInt64 = 27
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.key, \.field, \.limit)
    }

    /// The record.
    package var key: RecordKey
    /// The field; nil for all.
    package var field: UInt32?
    /// The most changes that are given.
    package var limit: UInt64

    /// Joins the parts.
    package init(_ key: RecordKey, field: UInt32?, limit: UInt64) {
        self.key = key
        self.field = field
        self.limit = limit
    }
}

/// The reason for which a field shows what it shows.
package struct ExplanationRequest: ControlRequest {
    package typealias Answer = Explanation
    package static let number: UInt64 = 28
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.key, \.field) }

    /// The record.
    package var key: RecordKey
    /// The field.
    package var field: UInt32

    /// Joins the parts.
    package init(_ key: RecordKey, field: UInt32) {
        self.key = key
        self.field = field
    }
}
