import LinnetCRDT
import LinnetWire

@testable import LinnetReplication

/// Batches in the order in which an empty replica gets them, and what it shows in the end.
struct Story {
    let name: String
    let says: String
    let batches: [WrittenBatch]

    /// Device b stores them all; what it then holds and shows is what is stated.
    func facts() throws -> JSON {
        let vessel = try Vessel(Kit.b)
        try vessel.apply(batches.map(\.batch))
        return [
            "name": .text(name), "says": .text(says), "batches": .array(batches.map(\.facts)),
            "chains": vessel.chains, "setAside": try vessel.setAside(of: batches),
            "shown": try vessel.shown(),
        ]
    }
}

/// An operation on a record of the kit.
func op(
    _ collection: UInt32, _ record: String, _ field: UInt32, _ kind: UInt8, _ payload: [UInt8],
    generation: UInt32 = 1, delta: UInt64 = 0
) throws -> Operation {
    guard let id = RecordID(record) else { throw Scribe.Missing() }
    return Operation(
        collection: collection, record: id, generation: generation, field: field, kind: kind,
        stampDelta: delta, payload: payload)
}

/// One canonical item.
func item(_ write: (inout CBORWriter) -> Void) -> [UInt8] {
    var writer = CBORWriter()
    write(&writer)
    return writer.bytes
}

func text(_ value: String) -> [UInt8] { item { $0.text(value) } }

/// [value, positions], as kinds 3, 6 and 7 carry.
func observed(_ value: [UInt8], _ positions: [Position] = []) -> [UInt8] {
    ObservedValue(value: value, observed: positions.sorted()).payload
}

func at(_ device: KitDevice, _ seq: UInt64, _ index: UInt32) -> Position {
    Position(chain: device.author, seq: seq, index: index)
}
