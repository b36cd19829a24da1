package import LinnetCRDT
package import LinnetWire

/// The records that a query asks for, and where the page begins that follows its last one.
package struct ControlPage: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 123
    package static var silence: ControlPage? { ControlPage([], next: nil) }
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.records, \.next) }

    /// The records, in order.
    package var records: [RecordView]
    /// The place to go on from; nil when there are no more.
    package var next: String?

    /// Joins the parts.
    package init(_ records: [RecordView], next: String?) {
        self.records = records
        self.next = next
    }

    package mutating func append(_ more: ControlPage) {
        records += more.records
        next = more.next
    }
}

/// A record in the trash.
package struct ControlTrash: ControlElement, ControlStruct {
    package static let number: UInt64 = 126
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.record, \.deletedMilliseconds, \.device, \.deviceName, \.editedAfter)
    }

    /// The record with what it last held.
    package var record: RecordView
    /// The time at which it was deleted, in Unix milliseconds.
    package var deletedMilliseconds: Int64
    /// The device that deleted it, when that is known.
    package var device: DeviceID?
    /// The name of that device; empty when it is not known.
    package var deviceName: String
    /// The fields with changes that the delete had not seen.
    package var editedAfter: [UInt32]

    /// Joins the facts.
    package init(
        record: RecordView, deletedMilliseconds: Int64, device: DeviceID?, deviceName: String,
        editedAfter: [UInt32]
    ) {
        self.record = record
        self.deletedMilliseconds = deletedMilliseconds
        self.device = device
        self.deviceName = deviceName
        self.editedAfter = editedAfter
    }
}

/// A record that looks different now.
package struct ControlChanged: ControlElement, ControlStruct {
    package static let number: UInt64 = 127
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.key, \.record)
    }

    /// Its place.
    package var key: RecordKey
    /// The record as it shows; nil when there is none any more.
    package var record: RecordView?

    /// Joins the facts.
    package init(_ key: RecordKey, _ record: RecordView?) {
        self.key = key
        self.record = record
    }
}
