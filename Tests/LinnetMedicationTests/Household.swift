import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// Some devices that hold the records of the domain, each merging what the others wrote.
struct Household {
    private struct Op {
        let operation: LinnetCRDT.Operation
        let stamp: Timestamp
        let position: Position
        let from: Int
    }

    private struct Place: Comparable {
        let collection: UInt32
        let record: RecordID

        static func < (left: Place, right: Place) -> Bool {
            (left.collection, left.record) < (right.collection, right.record)
        }
    }

    let zones: ZoneTable
    private var states: [OrderedTable<Place, RecordState>]
    private var known: [Set<Int>]
    private var ops: [Op] = []
    private var seqs: [UInt64]
    private var time: Int64 = 1_000
    private(set) var books: [MedicationBook]

    init(devices: Int = 1) throws {
        zones = try TestZones.table()
        states = Array(repeating: OrderedTable(), count: devices)
        known = Array(repeating: [], count: devices)
        seqs = Array(repeating: 0, count: devices)
        books = Array(repeating: MedicationBook(), count: devices)
    }

    func planner(
        _ device: Int = 0, at now: String, zone: String = "Europe/Berlin", intent: String
    ) throws -> MedicationPlanner {
        try MedicationPlanner(
            book: books[device], now: try #require(Instant(now)), zone: zone, zones: zones,
            device: "device \(device)", intent: intent)
    }

    /// Commits what a plan says on a device, as a replica does.
    mutating func commit(_ plan: MedicationPlan, on device: Int = 0) throws {
        time += 1
        seqs[device] += 1
        var index: UInt32 = 0
        for write in plan.writes {
            let collection = try #require(Schema.demonstration.collection(id: write.key.collection))
            let editor = RecordEditor(
                collection: collection, base: Timestamp(wallMilliseconds: time))
            for change in write.changes {
                let place = Place(collection: write.key.collection, record: write.key.record)
                let state = states[device][place] ?? empty(place)
                for operation in try editor.operations(for: change, of: state) {
                    let stamp = editor.base.advanced(by: operation.stampDelta) ?? .ceiling
                    let position = Position(
                        chain: Bytes16(repeating: UInt8(10 + device)), seq: seqs[device],
                        index: index)
                    index += 1
                    ops.append(
                        Op(operation: operation, stamp: stamp, position: position, from: device))
                    deliver(ops.count - 1, to: device)
                }
            }
        }
    }

    /// All devices give each other what they have.
    mutating func meet() {
        for device in known.indices {
            for op in ops.indices where !known[device].contains(op) { deliver(op, to: device) }
        }
    }

    private func empty(_ place: Place) -> RecordState {
        RecordState(collection: place.collection, record: place.record)
    }

    private mutating func deliver(_ index: Int, to device: Int) {
        known[device].insert(index)
        let op = ops[index]
        let place = Place(collection: op.operation.collection, record: op.operation.record)
        guard let collection = Schema.demonstration.collection(id: place.collection) else { return }
        var state = states[device][place] ?? empty(place)
        _ = state.apply(
            op.operation, stamp: op.stamp, at: op.position, policy: collection.deletePolicy)
        states[device][place] = state
        if state.isLive {
            books[device].apply(stored(state, collection, state.visibleContents))
        } else {
            books[device].bury(stored(state, collection, state.deletedContents))
        }
    }

    private func stored(
        _ state: RecordState, _ collection: LinnetCRDT.Collection,
        _ contents: [(field: UInt32, content: FieldContent)]
    ) -> RecordView {
        var fields = contents.compactMap { content -> FieldValues? in
            guard let field = collection.field(id: content.field) else { return nil }
            return content.content.values(of: field).map { FieldValues(field.id, $0) }
        }
        if case .log(let log)? = state.content(of: 0), let entry = log.entries.first,
            let cells = try? LogCell.decode(entry.payload)
        {
            fields += cells.compactMap { cell in
                collection.field(id: cell.field).flatMap { field in
                    (try? field.values(of: cell.payload)).map { FieldValues(field.id, $0) }
                }
            }
        }
        return RecordView(collection: collection.id, id: state.record, fields: fields)
    }

    /// All records that a device holds, for folding anew.
    func records(_ device: Int = 0) -> [RecordView] {
        states[device].compactMap { place, state in
            guard state.isLive, let found = Schema.demonstration.collection(id: place.collection)
            else { return nil }
            return stored(state, found, state.visibleContents)
        }
    }

    /// The stock of a medication as everyone sees it.
    func stock(_ id: String, _ device: Int = 0) throws -> String? {
        books[device].stocks[try #require(RecordID(id))]?.description
    }
}

extension TimingDraft {
    /// Times of day as hh:mm.
    init(_ times: String...) {
        self.init()
        self.times = times.map { text in
            let parts = text.split(separator: ":").compactMap { Int($0) }
            return (hour: parts.first ?? -1, minute: parts.last ?? -1, label: "")
        }
    }
}

extension MedicationDraft {
    /// A name and a dosage in mg.
    init(_ name: String) {
        self.init()
        self.name = .set(name)
        amount = .set(Decimal64(mantissa: 500, exponent: 0) ?? .zero)
        unit = .set("mg")
    }
}

/// A number of days, of pieces and the like.
func number(_ text: String) throws -> Decimal64 { try #require(Decimal64(parsing: text)) }

/// An instant of RFC 3339.
func time(_ text: String) throws -> Instant { try #require(Instant(text)) }
