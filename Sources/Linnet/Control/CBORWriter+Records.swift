import LinnetCRDT
import LinnetReplication
import LinnetWire

extension CBORWriter {
    mutating func record(_ record: ControlRecord) {
        array(5)
        recordID(record.id)
        list(record.values) { $0.field($1) }
        list(record.conflicts) { $0.unsigned(UInt64($1)) }
        bool(record.isCollision)
        unsigned(UInt64(record.standing.rawValue))
    }

    mutating func trash(_ trash: ControlTrash) {
        array(5)
        record(trash.record)
        signed(trash.deletedMilliseconds)
        optional(trash.device) { $0.bytes($1) }
        text(trash.deviceName)
        list(trash.editedAfter) { $0.unsigned(UInt64($1)) }
    }

    mutating func changed(_ changed: ControlChanged) {
        array(3)
        unsigned(UInt64(changed.collection))
        recordID(changed.id)
        optional(changed.record) { $0.record($1) }
    }
}

extension CBORReader {
    mutating func record() throws(WireError) -> ControlRecord {
        try array(exactly: 5)
        var record = ControlRecord(id: try recordID(), values: try fields())
        record.conflicts = try list { (reader) throws(WireError) in
            try reader.number(UInt32.self)
        }
        record.isCollision = try bool()
        guard let standing = RecordStanding(rawValue: try number(UInt8.self)) else {
            throw .unexpectedType
        }
        record.standing = standing
        return record
    }

    mutating func trash() throws(WireError) -> ControlTrash {
        try array(exactly: 5)
        return ControlTrash(
            record: try record(), deletedMilliseconds: try signed(),
            device: try optional { (reader) throws(WireError) in try reader.bytes32() },
            deviceName: try text(max: .max),
            editedAfter: try list { (reader) throws(WireError) in
                try reader.number(UInt32.self)
            })
    }

    mutating func changed() throws(WireError) -> ControlChanged {
        try array(exactly: 3)
        return ControlChanged(
            collection: try number(UInt32.self), id: try recordID(),
            record: try optional { (reader) throws(WireError) in try reader.record() })
    }
}
