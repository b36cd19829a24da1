package import LinnetCRDT
package import LinnetReplication

/// The changes of one record, in order.
package struct ControlWrite: Equatable, Sendable {
    /// The number of the collection.
    package var collection: UInt32
    /// The identifier of the record.
    package var record: RecordID
    /// The changes, in order.
    package var changes: [ControlChange]

    /// Joins place and changes.
    package init(collection: UInt32, record: RecordID, _ changes: [ControlChange]) {
        self.collection = collection
        self.record = record
        self.changes = changes
    }

    /// Sets these members of fields; members that are not named keep their visible value.
    package static func set(
        collection: UInt32, record: RecordID, _ fields: [ControlField]
    ) -> ControlWrite {
        ControlWrite(collection: collection, record: record, [.set(fields)])
    }

    /// Deletes the record.
    package static func delete(collection: UInt32, record: RecordID) -> ControlWrite {
        ControlWrite(collection: collection, record: record, [.delete])
    }
}

/// One change of a record.
package enum ControlChange: Equatable, Sendable {
    /// Set these members of fields; members that are not named keep their visible value.
    case set([ControlField])
    /// Give a field several concurrent values, in place of all that show.
    case keep(field: UInt32, [Value])
    /// Add to a tally, under a key of the caller or one that is drawn.
    case count(field: UInt32, key: String?, amount: Value)
    /// Set a tally to the amount that was counted.
    case recount(field: UInt32, Value)
    /// Add an element to a set.
    case add(field: UInt32, Value)
    /// Remove an element from a set.
    case remove(field: UInt32, Value)
    /// Replace some characters of a text.
    case edit(field: UInt32, at: UInt64, deleting: UInt64, inserting: String)
    /// Replace a text by another, and keep what both share.
    case rewrite(field: UInt32, String)
    /// Fill an empty text with a copy, which merges with an equal one.
    case copy(field: UInt32, String)
    /// Write a record of a log.
    case insert([ControlField])
    /// Delete the record.
    case delete
    /// Bring the deleted record back.
    case restore
    /// Put the record somewhere else in an order.
    case move(field: UInt32, to: OrderPlace)
}
