package import LinnetCRDT
package import LinnetReplication
package import LinnetWire

/// A record as it is visible now.
package struct ControlRecord: Equatable, Sendable {
    /// The identifier of the record.
    package var id: RecordID
    /// The values of its fields; a group has one for each member.
    package var values: [ControlField]
    /// The fields that hold several concurrent values, in a list.
    package var conflicts: [UInt32]
    /// True when two devices wrote different records of a log under the identifier.
    package var isCollision: Bool
    /// The standing: whether everything that it refers to is there.
    package var standing: RecordStanding

    /// Joins identifier and values.
    package init(
        id: RecordID, values: [ControlField], conflicts: [UInt32] = [], isCollision: Bool = false,
        standing: RecordStanding = .attached
    ) {
        self.id = id
        self.values = values
        self.conflicts = conflicts
        self.isCollision = isCollision
        self.standing = standing
    }
}

extension ControlRecord {
    init(_ view: RecordView) {
        self.init(
            id: view.id,
            values: view.fields.flatMap { field in
                field.values.enumerated().map { member, value in
                    ControlField(field: field.field, member: UInt32(member), value: value)
                }
            },
            conflicts: view.conflicts, isCollision: view.isCollision, standing: view.standing)
    }
}

/// A record in the trash.
package struct ControlTrash: Equatable, Sendable {
    /// The record as it last was.
    package var record: ControlRecord
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
        record: ControlRecord, deletedMilliseconds: Int64, device: DeviceID?, deviceName: String,
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
package struct ControlChanged: Equatable, Sendable {
    /// The number of the collection.
    package var collection: UInt32
    /// The identifier of the record.
    package var id: RecordID
    /// The record as it looks; nil when there is none any more.
    package var record: ControlRecord?

    /// Joins the facts.
    package init(collection: UInt32, id: RecordID, record: ControlRecord?) {
        self.collection = collection
        self.id = id
        self.record = record
    }
}
