import LinnetCRDT
import LinnetReplication
import LinnetWire

extension Fleet {
    /// Devices of an application with one field of each kind that merges what it observed.
    static func ofThings() throws -> Fleet {
        let fleet = Fleet()
        fleet.schema = try Schema(
            version: 1,
            collections: [
                Collection(
                    id: 2_000, name: "thing", scope: "things",
                    fields: [
                        Field(id: 1, name: "stock", kind: .tally, type: .int),
                        Field(id: 2, name: "tags", kind: .set, type: .text),
                        Field(id: 3, name: "body", kind: .text),
                        Field(id: 4, name: "mark", kind: .mv, type: .text),
                        Field(id: 5, name: "peak", kind: .max, type: .int),
                        Field(id: 6, name: "first", kind: .min, type: .date),
                    ]),
                .log(
                    id: 2_001, name: "event", scope: .always("things"),
                    fields: [Field(id: 1, name: "what", type: .text)]),
            ])
        return fleet
    }

    /// Three devices that hold the same record.
    func trio() throws -> [Device] {
        let devices = try group(["a", "b", "c"])
        try devices[2].set("aspirin", 1, .text("Aspirin"), at: now)
        for _ in 0..<2 {
            for (one, other) in [(0, 1), (0, 2), (1, 2)] { connect(devices[one], devices[other]) }
        }
        disconnectAll()
        return devices
    }

    func meet(_ left: Device, _ right: Device) throws {
        connect(left, right)
        disconnectAll()
        advance(10)
    }
}

/// The name of a device that is open.
func deviceID(of device: Device) throws -> DeviceID {
    guard let id = device.replica?.device else { throw Device.Closed() }
    return id
}

extension Device {
    var id: RecordID {
        guard let id = RecordID("r") else { preconditionFailure("a letter is an identifier") }
        return id
    }

    var key: RecordKey { RecordKey(collection: 2_000, record: id) }

    func change(_ changes: [Change], _ fleet: Fleet) throws {
        try commit([Write(key, changes)], at: fleet.now)
        fleet.advance(10)
    }

    func log(_ text: String, _ fleet: Fleet) throws {
        let key = RecordKey(collection: 2_001, record: id)
        try commit([Write(key, [.insert([FieldValues(1, [.text(text)])])])], at: fleet.now)
    }

    func view(_ collection: UInt32) throws -> RecordView? {
        try replica?.reader.record(collection, id)
    }

    func shown(_ field: UInt32) throws -> Value? {
        try view(2_000)?.fields.first { $0.field == field }?.values.first
    }

    func trash() throws -> [TrashView] { try replica?.reader.trash(2_000) ?? [] }
}
