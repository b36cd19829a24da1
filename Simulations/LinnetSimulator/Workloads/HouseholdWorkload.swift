import LinnetCRDT
import LinnetReplication

/// A household's medicines and notes: few records, which everybody writes, deletes and writes
/// again.
struct HouseholdWorkload: Workload {
    /// The number of different records of each collection; few of them make many conflicts.
    var records = 12

    /// True when all kinds of fields are written, or just those of which the latest change wins.
    var hasAllKinds = true

    let schemas = HouseholdSchema.versions
    let ledger: TallyLedger? = TallyLedger(collection: HouseholdSchema.stock, field: 2)

    func write(_ random: inout SeededRandom, size: WriteSize) -> SimulatedWrite {
        switch size {
        case .few:
            let count = random.chance(2, in: 3) ? 1 : random.number(in: 2...5)
            return SimulatedWrite(writes: (0..<count).map { _ in one(&random) })
        case .many:
            let count = random.number(in: 20...40)
            return SimulatedWrite(
                writes: (0..<count).map { _ in long(&random, random.number(in: 5_000...20_000)) })
        case .records(let count):
            let family = random.below(1_000)
            return SimulatedWrite(
                writes: (0..<count).map { number in
                    .set(
                        collection: 2_000, record: id("import-\(family)-\(number)"),
                        fields: [
                            FieldWrite(1, .text("line \(number)")),
                            FieldWrite(2, .int(Int64(number))),
                        ])
                })
        }
    }

    private func one(_ random: inout SeededRandom) -> Write {
        if hasAllKinds, random.chance(3, in: 5) { return kinds(&random) }
        let collection: UInt32 = random.pick([1_000, 1_000, 2_000, 2_000, 2_001])
        // Some records are everybody's favourites.
        let number = random.chance(1, in: 2) ? random.below(3) : random.below(records)
        let record = id("r\(number)")
        if random.chance(1, in: 8) { return .delete(collection: collection, record: record) }
        let count = random.chance(1, in: 2) ? 1 : random.number(in: 2...3)
        var fields: [FieldWrite] = []
        for _ in 0..<count {
            let field = field(of: collection, &random)
            if !fields.contains(where: { $0.field == field.field }) { fields.append(field) }
        }
        return .set(collection: collection, record: record, fields: fields)
    }

    private func long(_ random: inout SeededRandom, _ length: Int) -> Write {
        // Not to be compressed away.
        let text = String(decoding: random.bytes(length).map { 32 + $0 % 95 }, as: UTF8.self)
        return .set(
            collection: 2_000, record: id("long\(random.below(8))"),
            fields: [FieldWrite(1, .text(text))])
    }

    func writeBeside(_ random: inout SeededRandom) -> Write? {
        .set(
            collection: 2_000, record: id("long\(random.below(8))"),
            fields: [FieldWrite(1, text(&random))])
    }

    private func field(of collection: UInt32, _ random: inout SeededRandom) -> FieldWrite {
        switch collection {
        case 1_000: medicine(&random)
        case 2_000: noteField(&random)
        default:
            random.chance(1, in: 2)
                ? FieldWrite(1, text(&random))
                : FieldWrite(2, .bytes(random.bytes(random.below(40))))
        }
    }

    private func medicine(_ random: inout SeededRandom) -> FieldWrite {
        switch random.below(5) {
        case 0: return FieldWrite(1, text(&random))
        case 1:
            let amount = Value.decimal(decimal(&random))
            let unit = Value.text(random.pick(["mg", "ml", "drops"]))
            switch random.below(3) {
            case 0: return FieldWrite(3, members: [(0, amount)])
            case 1: return FieldWrite(3, members: [(1, unit)])
            default: return FieldWrite(3, members: [(0, amount), (1, unit)])
            }
        case 2: return FieldWrite(4, .text(random.pick(["tablet", "capsule", "cream"])))
        case 3: return FieldWrite(6, .date(Int64(random.number(in: -30_000...60_000))))
        default:
            return FieldWrite(8, random.chance(1, in: 6) ? .null : .bool(random.chance(1, in: 2)))
        }
    }

    private func noteField(_ random: inout SeededRandom) -> FieldWrite {
        switch random.below(6) {
        case 0, 1: FieldWrite(1, text(&random))
        case 2, 3:
            FieldWrite(2, .int(random.pick([0, 1, -1, .max, .min, Int64(random.below(99))])))
        case 4: FieldWrite(3, .instant(Int64(random.below(1 << 40))))
        default:
            random.chance(1, in: 2)
                ? FieldWrite(4, text(&random))
                : FieldWrite(
                    5, members: [(0, .decimal(decimal(&random))), (1, .decimal(decimal(&random)))])
        }
    }

    func decimal(_ random: inout SeededRandom) -> Decimal64 {
        let whole = random.number(in: -99_999...99_999)
        let places = random.below(4)
        let text =
            places == 0
            ? "\(whole)" : "\(whole).\(random.number(in: 1...9) * (places == 1 ? 1 : 11))"
        return Decimal64(parsing: text) ?? .zero
    }

    func text(_ random: inout SeededRandom) -> Value {
        let words = [
            "", "a", "morning", "Ä", "水", "👩", "e\u{301}", "a\nline", "\u{200f}!", Canary.text,
        ]
        return .text(
            (0..<random.number(in: 1...4)).map { _ in random.pick(words) }.joined(separator: " "))
    }

    func id(_ text: String) -> RecordID {
        guard let id = RecordID(text) else { preconditionFailure("letters and digits are legal") }
        return id
    }
}
