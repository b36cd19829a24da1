/// A live record as an application reads it.
package struct RecordView: Equatable, Sendable {
    /// The collection.
    package let collection: UInt32
    /// The record's identifier.
    package let id: RecordID
    /// The fields that show, ascending; of a group, all members.
    package var fields: [FieldValues]
    /// The fields that hold several concurrent values.
    package let conflicts: [UInt32]
    /// True when different records of a log were written under this identifier.
    package let isCollision: Bool
    /// The standing of the record, which says whether what it refers to is there.
    package var standing: RecordStanding

    /// Joins the parts.
    package init(
        collection: UInt32, id: RecordID, fields: [FieldValues],
        conflicts: [UInt32] = [], isCollision: Bool = false, standing: RecordStanding = .attached
    ) {
        self.collection = collection
        self.id = id
        self.fields = fields
        self.conflicts = conflicts
        self.isCollision = isCollision
        self.standing = standing
    }
}
