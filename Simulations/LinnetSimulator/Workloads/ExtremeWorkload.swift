import LinnetCRDT
import LinnetReplication

/// Notes of what only ever rises, or only ever falls: peaks, deadlines, flags that stay
/// raised. Each version of the application knows more of the fields.
struct ExtremeWorkload: Workload {
    private static let peaks: UInt32 = 2_000
    /// An update outlives a delete.
    private static let alarms: UInt32 = 2_001

    let schemas = Self.versions

    private static let versions: [LinnetCRDT.Schema] = [
        schema(1, peak: 2, alarm: 1), schema(2, peak: 3, alarm: 2), schema(3, peak: 5, alarm: 3),
    ].compactMap { $0 }

    private static let fieldsOfPeaks = [
        Field(id: 1, name: "name", type: .text),
        Field(id: 2, name: "highest", kind: .max, type: .int),
        Field(id: 3, name: "lowest", kind: .min, type: .decimal),
        Field(id: 4, name: "warmest", kind: .max, type: .double),
        Field(id: 5, name: "earliest", kind: .min, type: .date),
    ]
    private static let fieldsOfAlarms = [
        Field(id: 1, name: "raised", kind: .max, type: .bool),
        Field(id: 2, name: "last", kind: .max, type: .instant),
        Field(id: 3, name: "least", kind: .min, type: .int),
    ]

    private static func schema(_ version: UInt32, peak: Int, alarm: Int) -> LinnetCRDT.Schema? {
        try? LinnetCRDT.Schema(
            version: version,
            collections: [
                Collection(
                    id: peaks, name: "peaks", scope: "notes",
                    fields: Array(fieldsOfPeaks.prefix(peak))),
                Collection(
                    id: alarms, name: "alarms", scope: "notes", deletePolicy: .updateWins,
                    fields: Array(fieldsOfAlarms.prefix(alarm))),
            ])
    }

    func write(_ random: inout SeededRandom, size: WriteSize) -> SimulatedWrite {
        let count: Int
        switch size {
        case .few: count = random.chance(2, in: 3) ? 1 : random.number(in: 2...5)
        case .many: count = random.number(in: 20...40)
        case .records(let records): count = records
        }
        return SimulatedWrite(writes: (0..<count).map { _ in one(&random) })
    }

    private func one(_ random: inout SeededRandom) -> Write {
        let isPeak = random.chance(2, in: 3)
        let number = random.below(isPeak ? 4 : 3)
        guard let record = RecordID("r\(number)") else {
            preconditionFailure("letters and digits are legal")
        }
        let key = RecordKey(collection: isPeak ? Self.peaks : Self.alarms, record: record)
        if random.chance(1, in: 10) { return Write(key, [.delete]) }
        if random.chance(1, in: 12) { return Write(key, [.restore]) }
        return Write(key, [.set(isPeak ? peak(&random) : alarm(&random))])
    }

    private func peak(_ random: inout SeededRandom) -> FieldWrite {
        if random.chance(1, in: 12) { return FieldWrite(random.pick([2, 3, 4, 5]), .null) }
        switch random.below(5) {
        case 0: return FieldWrite(1, .text(random.pick(["a", "b", Canary.text])))
        case 1: return FieldWrite(2, .int(random.pick([.min, .max, 0, number(&random)])))
        case 2:
            let number = Decimal64(
                mantissa: number(&random), exponent: random.pick([-2, -1, 0, 1]))
            return FieldWrite(3, .decimal(number ?? .zero))
        case 3: return FieldWrite(4, .double(Double(number(&random)) / 4))
        default: return FieldWrite(5, .date(number(&random)))
        }
    }

    private func alarm(_ random: inout SeededRandom) -> FieldWrite {
        switch random.below(4) {
        case 0, 1: FieldWrite(1, .bool(random.chance(1, in: 3)))
        case 2: FieldWrite(2, .instant(number(&random)))
        default: FieldWrite(3, .int(number(&random)))
        }
    }

    /// One of few numbers, so that two often write the same.
    private func number(_ random: inout SeededRandom) -> Int64 {
        Int64(random.number(in: -20...20))
    }
}
