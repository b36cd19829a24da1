package import LinnetCRDT
package import LinnetReplication

// These requests are about records.

/// Changes to perform as one commit; with an intent, only once.
package struct WritingRequest: ControlRequest {
    package typealias Answer = ControlReceipt
    package static let number: UInt64 = 20
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(_:intent:), \.writes, \.intent)
    }

    /// The changes, in order.
    package var writes: [WriteRequest]
    /// The bytes that name the wish, 1 to 64.
    package var intent: [UInt8]?

    /// Joins the parts.
    package init(_ writes: [WriteRequest], intent: [UInt8]? = nil) {
        self.writes = writes
        self.intent = intent
    }

    /// Joins changes that leave nothing to the replica to choose.
    package init(changes: [Write], intent: [UInt8]? = nil) {
        self.init(changes.map(WriteRequest.changes), intent: intent)
    }
}

/// One record: none or one is given.
package struct RecordRequest: ControlRequest {
    package typealias Answer = [RecordView]
    package static let number: UInt64 = 21
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.key) }

    /// The record.
    package var key: RecordKey

    /// Names the record.
    package init(_ key: RecordKey) { self.key = key }
}

/// Every record of a collection.
package struct ListRequest: ControlRequest {
    package typealias Answer = [RecordView]
    package static let number: UInt64 = 22
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.collection) }

    /// The collection's number.
    package var collection: UInt32

    /// Names the collection.
    package init(_ collection: UInt32) { self.collection = collection }
}

/// The records that a query asks for, in its order.
package struct PageRequest: ControlRequest {
    package typealias Answer = ControlPage
    package static let number: UInt64 = 23
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.query) }

    /// The query.
    package var query: Query

    /// Asks a query.
    package init(_ query: Query) { self.query = query }
}

/// The index or the collection that a query reads.
package struct PlanRequest: ControlRequest {
    package typealias Answer = QueryPlan
    package static let number: UInt64 = 24
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.query) }

    /// The query.
    package var query: Query

    /// Asks about a query.
    package init(_ query: Query) { self.query = query }
}

/// The number of records that a query asks for, its limit and offset left aside.
package struct CountRequest: ControlRequest {
    package typealias Answer = UInt64
    package static let number: UInt64 = 25
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.query) }

    /// The query.
    package var query: Query

    /// Asks about a query.
    package init(_ query: Query) { self.query = query }
}

/// Figures about the records that a query asks for.
package struct FiguresRequest: ControlRequest {
    package typealias Answer = [FigureGroup]
    package static let number: UInt64 = 102
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.aggregates, \.query, \.fields)
    }

    /// The figures.
    package var aggregates: [Aggregate]
    /// The query.
    package var query: Query
    /// The fields by which the records are grouped.
    package var fields: [String]

    /// Asks for figures.
    package init(_ aggregates: [Aggregate], _ query: Query, _ fields: [String]) {
        self.aggregates = aggregates
        self.query = query
        self.fields = fields
    }
}

/// The index or the collection that figures are found by.
package struct FiguresPlanRequest: ControlRequest {
    package typealias Answer = QueryPlan
    package static let number: UInt64 = 103
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.figures) }

    /// The request that would be made.
    package var figures: FiguresRequest

    /// Asks about a request.
    package init(_ figures: FiguresRequest) { self.figures = figures }
}

/// The deleted records of a collection.
package struct TrashRequest: ControlRequest {
    package typealias Answer = [ControlTrash]
    package static let number: UInt64 = 26
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.collection) }

    /// The collection's number.
    package var collection: UInt32

    /// Names the collection.
    package init(_ collection: UInt32) { self.collection = collection }
}

// These tell something now and whenever it looks different: one answer at a time, each after
// ``ControlReply/more``, until ``ControlReply/cancel``.

/// One record as it is from now on: none or one in each answer.
package struct RecordObservationRequest: ControlRequest {
    package typealias Answer = [RecordView]
    package static let number: UInt64 = 30
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.key) }

    /// The record.
    package var key: RecordKey

    /// Names the record.
    package init(_ key: RecordKey) { self.key = key }
}

/// The records that a query asks for, all of them in each answer.
package struct QueryObservationRequest: ControlRequest {
    package typealias Answer = [RecordView]
    package static let number: UInt64 = 31
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.query) }

    /// The query.
    package var query: Query

    /// Asks a query.
    package init(_ query: Query) { self.query = query }
}

/// The number of records that a query asks for.
package struct CountObservationRequest: ControlRequest {
    package typealias Answer = UInt64
    package static let number: UInt64 = 32
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.query) }

    /// The query.
    package var query: Query

    /// Asks about a query.
    package init(_ query: Query) { self.query = query }
}

/// The records that change from now on: the first answer is empty, once changes are noted; then
/// each record comes once however often it changed meanwhile.
package struct ChangesRequest: ControlRequest {
    package typealias Answer = [ControlChanged]
    package static let number: UInt64 = 33
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.collection) }

    /// The number of the only collection that is meant; nil for all.
    package var collection: UInt32?

    /// Names the collection.
    package init(_ collection: UInt32? = nil) { self.collection = collection }
}
