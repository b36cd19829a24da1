import LinnetWire

/// The transfers of one lane that came from a counterpart, so that none is handed over twice.
struct LaneMemory: Equatable, Sendable {
    var installation: Bytes8
    /// Below it the sender asks no more.
    private(set) var floor: UInt64 = 1
    private(set) var stages = OrderedTable<UInt64, ReceiptStage>()

    /// Most transfers that are remembered one by one.
    static let stagesMaximum = 4_096

    init(installation: Bytes8) { self.installation = installation }

    /// True when another transfer can be remembered.
    var hasRoom: Bool { stages.count < LaneMemory.stagesMaximum }

    func stage(of number: UInt64) -> ReceiptStage? { stages[number] }

    mutating func set(_ stage: ReceiptStage, of number: UInt64) {
        if number >= floor { stages[number] = stage }
    }

    /// Forgets what the sender asks no more about; false if nothing changed.
    mutating func raise(floor newFloor: UInt64) -> Bool {
        guard newFloor > floor else { return false }
        floor = newFloor
        stages.removeAll { number, _ in number < newFloor }
        return true
    }

    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.unsigned(floor)
        ReceiptFrame(
            installation: installation, lane: .userInfo,
            lines: stages.map { .init(number: $0.key, stage: $0.value) }
        ).write(to: &writer)
    }

    static func read(_ row: [UInt8]) throws(WireError) -> LaneMemory {
        var reader = CBORReader(row)
        try reader.array(exactly: 2)
        let floor = try reader.unsigned()
        let receipts = try ReceiptFrame.read(from: &reader, max: stagesMaximum)
        try reader.finish()
        var memory = LaneMemory(installation: receipts.installation)
        memory.floor = floor
        for line in receipts.lines { memory.stages[line.number] = line.stage }
        return memory
    }
}
