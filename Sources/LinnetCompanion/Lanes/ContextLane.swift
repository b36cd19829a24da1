import LinnetWire

/// The newest application context of each direction.
struct ContextLane: Equatable, Sendable {
    struct Outgoing: Equatable, Sendable {
        var number: UInt64
        var importance: Importance
        var bytes: [UInt8]
        /// True when the counterpart has stored it.
        var isStored = false
    }

    struct Incoming: Equatable, Sendable {
        var id: TransferID
        var bytes: [UInt8]
        /// True when the app knows it.
        var isTold = false
    }

    var outgoing: Outgoing?
    var incoming: Incoming?
    var pacer = Pacer()

    /// The context that has still to be sent.
    var waiting: Outgoing? { outgoing.flatMap { $0.isStored ? nil : $0 } }

    mutating func store(_ context: Outgoing, for peer: DeviceID, _ turn: inout CompanionTurn) {
        outgoing = context
        turn.put(.contextOut(peer)) { writer in
            writer.array(3)
            writer.unsigned(context.number)
            writer.unsigned(UInt64(context.importance.rawValue))
            writer.bool(context.isStored)
            writer.raw(context.bytes)
        }
    }

    mutating func store(_ context: Incoming, for peer: DeviceID, _ turn: inout CompanionTurn) {
        incoming = context
        turn.put(.contextIn(peer)) { writer in
            writer.array(3)
            writer.bytes(context.id.installation)
            writer.unsigned(context.id.number)
            writer.bool(context.isTold)
            writer.raw(context.bytes)
        }
    }

    mutating func readOutgoing(_ row: [UInt8]) throws(WireError) {
        var reader = CBORReader(row, maxItems: row.count)
        try reader.array(exactly: 3)
        let number = try reader.unsigned()
        let code = try reader.unsigned(max: 3)
        guard let importance = Importance(rawValue: UInt8(truncatingIfNeeded: code)) else {
            throw .unexpectedType
        }
        let isStored = try reader.bool()
        let bytes = Array(row[reader.offset...])
        _ = try Payload.dictionary(bytes)
        outgoing = Outgoing(
            number: number, importance: importance, bytes: bytes, isStored: isStored)
    }

    mutating func readIncoming(_ row: [UInt8]) throws(WireError) {
        var reader = CBORReader(row, maxItems: row.count)
        try reader.array(exactly: 3)
        let id = TransferID(
            installation: try reader.bytes8(), number: try reader.unsigned())
        let isTold = try reader.bool()
        let bytes = Array(row[reader.offset...])
        _ = try Payload.dictionary(bytes)
        incoming = Incoming(id: id, bytes: bytes, isTold: isTold)
    }
}
