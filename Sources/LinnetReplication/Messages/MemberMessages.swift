import LinnetWire

/// The heads of the sender's membership log; the handshake has proved the group.
struct MemberHeadsMessage: Equatable, Sendable {
    /// The group, which 0.1.0 sent before the heads.
    var group: GroupID?
    var heads: [MemberRecordID]

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        if let group {
            writer.array(2)
            writer.bytes(group)
        }
        writer.ids(heads)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> MemberHeadsMessage {
        var reader = CBORReader(body)
        let count = try reader.array(max: Limits.memberHeads)
        var message = MemberHeadsMessage(heads: [])
        for index in 0..<count {
            if index == 1, count == 2, try reader.peek() == .array {
                message.group = message.heads.popLast()
                message.heads = try reader.ids(max: Limits.memberHeads)
            } else {
                message.heads.append(try reader.bytes32())
            }
        }
        try reader.finish()
        return message
    }
}

/// The membership records that the sender wants, and the heads that it holds.
struct MemberGetMessage: Equatable, Sendable {
    var group: GroupID
    var wanted: [MemberRecordID]
    var held: [MemberRecordID]

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.bytes(group)
        writer.ids(wanted)
        writer.ids(held)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> MemberGetMessage {
        var reader = CBORReader(body)
        try reader.array(exactly: 3)
        let group = try reader.bytes32()
        let wanted = try reader.ids(max: Limits.memberGetRecords)
        let held = try reader.ids(max: Limits.memberGetRecords)
        try reader.finish()
        return MemberGetMessage(group: group, wanted: wanted, held: held)
    }
}

/// A list of membership records, parents first.
struct MemberRecordsMessage: Equatable, Sendable {
    var group: GroupID
    var records: [[UInt8]]

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.bytes(group)
        writer.array(records.count)
        for record in records { writer.raw(record) }
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> MemberRecordsMessage {
        // The bytes bound the items, since epochs for many devices hold many.
        var reader = CBORReader(body, maxItems: body.count)
        try reader.array(exactly: 2)
        let group = try reader.bytes32()
        var records: [[UInt8]] = []
        for _ in 0..<(try reader.array(max: Limits.memberProofRecords)) {
            let record = try reader.rawItem()
            guard record.count <= Limits.memberRecordBytes else { throw .tooLarge }
            records.append(record)
        }
        try reader.finish()
        return MemberRecordsMessage(group: group, records: records)
    }
}

extension CBORWriter {
    fileprivate mutating func ids(_ ids: [Bytes32]) {
        array(ids.count)
        for id in ids { bytes(id) }
    }
}

extension CBORReader {
    fileprivate mutating func ids(max maximum: Int) throws(WireError) -> [Bytes32] {
        var ids: [Bytes32] = []
        for _ in 0..<(try array(max: maximum)) { ids.append(try bytes32()) }
        return ids
    }
}
