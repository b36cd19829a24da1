import LinnetCRDT
import LinnetReplication

/// Writes of every kind of field, policy and collection; few records, so that people meet on them.
extension HouseholdWorkload {
    func kinds(_ random: inout SeededRandom) -> Write {
        switch random.below(9) {
        case 8: photo(&random)
        case 0...3: parcel(&random)
        case 4, 5: visit(&random)
        case 6: dose(&random)
        default: stock(&random)
        }
    }

    func key(_ collection: UInt32, _ number: Int) -> RecordKey {
        RecordKey(collection: collection, record: id("r\(number)"))
    }

    private func parcel(_ random: inout SeededRandom) -> Write {
        let key = key(HouseholdSchema.parcels, random.below(4))
        if random.chance(1, in: 10) { return Write(key, [.delete]) }
        if random.chance(1, in: 12) { return Write(key, [.restore]) }
        var changes: [Change] = []
        for _ in 0..<(random.chance(2, in: 3) ? 1 : 2) {
            switch random.below(10) {
            case 0:
                let note = id("r\(random.below(records))")
                changes.append(.set(FieldWrite(1, .text(note.description))))
            case 1, 2: changes.append(.set(FieldWrite(2, text(&random))))
            case 3, 4: changes.append(tally(3, &random, decimal: false))
            case 5, 6: changes += typing(4, &random)
            case 7, 8: changes.append(element(5, &random))
            default: changes.append(.set(FieldWrite(6, .text(place(&random)))))
            }
        }
        return Write(key, changes)
    }

    private func visit(_ random: inout SeededRandom) -> Write {
        let key = key(HouseholdSchema.visits, random.below(3))
        if random.chance(1, in: 5) { return Write(key, [.delete]) }
        if random.chance(1, in: 15) { return Write(key, [.restore]) }
        switch random.below(6) {
        case 0, 1: return Write(key, [.set(FieldWrite(1, text(&random)))])
        case 2: return Write(key, [tally(2, &random, decimal: true)])
        case 3: return Write(key, [element(3, &random)])
        case 4: return Write(key, typing(4, &random))
        default: return Write(key, [.set(FieldWrite(5, .int(Int64(random.below(9)))))])
        }
    }

    private func photo(_ random: inout SeededRandom) -> Write {
        let key = key(HouseholdSchema.photos, random.below(3))
        switch random.below(5) {
        case 0: return Write(key, [.delete])
        case 1, 2: return Write(key, [.set(FieldWrite(1, text(&random)))])
        case 3: return Write(key, [.set(FieldWrite(3, .text("r\(random.below(records))")))])
        default: return Write(key, [element(2, &random)])
        }
    }

    func dose(_ random: inout SeededRandom) -> Write {
        dose(number: random.below(200), &random)
    }

    /// A record of a log: often the same as anybody else would write, at times not.
    func dose(number: Int, _ random: inout SeededRandom) -> Write {
        let key = key(HouseholdSchema.doses, number)
        if random.chance(1, in: 30) { return Write(key, [random.pick([.delete, .restore])]) }
        let isOdd = random.chance(1, in: 4)
        let amount = Decimal64(mantissa: Int64(number % 5 + (isOdd ? 1 : 0)), exponent: -1)
        var fields = [
            FieldValues(1, [.text(number % 3 == 0 ? Canary.text : "medicine \(number)")]),
            FieldValues(2, [.decimal(amount ?? .zero), .text("mg")]),
        ]
        if number % 4 == 0 { fields.append(FieldValues(3, [.instant(Int64(number))])) }
        return Write(key, [.insert(fields)])
    }

    /// A dose that was taken: the amount follows from the key.
    func stock(_ random: inout SeededRandom) -> Write {
        let key = key(HouseholdSchema.stock, random.below(2))
        if random.chance(1, in: 20) { return Write(key, [.delete]) }
        if random.chance(1, in: 8) { return Write(key, [.set(FieldWrite(1, text(&random)))]) }
        return Write(key, [taking(random.below(300))])
    }

    func taking(_ number: Int) -> Change {
        .count(
            field: 2, key: TallyLedger.key(number), amount: .int(TallyLedger.amount(number)))
    }

    func tally(_ field: UInt32, _ random: inout SeededRandom, decimal: Bool) -> Change {
        let number = random.number(in: -6...6)
        let amount: Value =
            decimal
            ? .decimal(Decimal64(mantissa: Int64(number * 25), exponent: -2) ?? .zero)
            : .int(Int64(number))
        if random.chance(1, in: 5) { return .recount(field: field, amount) }
        let keys = ["a", "b", "c", "d", "e", Canary.text]
        return .count(field: field, key: random.pick(keys), amount: amount)
    }

    func element(_ field: UInt32, _ random: inout SeededRandom) -> Change {
        let value = Value.text(random.pick(["red", "green", "blue", "Ä", Canary.text]))
        return random.chance(3, in: 5)
            ? .add(field: field, value) : .remove(field: field, value)
    }

    /// A place in an order, between two of a few.
    func place(_ random: inout SeededRandom) -> String {
        let marks = ["A", "C", "V", "Vk", "n", "z"].compactMap(FractionalKey.init)
        let left = random.below(marks.count)
        let right = random.below(marks.count)
        let key = FractionalKey.between(
            left == 0 ? nil : marks[min(left, right)],
            left == right ? nil : marks[max(left, right)], tiebreak: random.bytes(2))
        return key?.description ?? "V"
    }

    /// The changes that somebody makes to a text at one time.
    func typing(_ field: UInt32, _ random: inout SeededRandom) -> [Change] {
        let place = random.below(1_000)
        switch random.below(9) {
        case 8: return [.copy(field: field, TextCopy.pieces(of: random.pick(Self.copied)))]
        case 0: return [.rewrite(field: field, sentence(&random))]
        case 1, 2:
            let count = random.number(in: 1...8)
            return [.edit(field: field, at: place, deleting: count, inserting: "")]
        case 3:
            let count = random.number(in: 1...4)
            return [.edit(field: field, at: place, deleting: count, inserting: piece(&random))]
        case 4: return run(field, Caret.onward, &random)
        case 5: return run(field, Caret.backward, &random)
        default:
            return [.edit(field: field, at: place, deleting: 0, inserting: piece(&random))]
        }
    }

    /// The texts that devices which upgrade copy, several of them the same.
    private static let copied = ["take with water", "mit Wasser: 水", "e\u{301}"]

    /// Keystrokes, one after or before the other, from wherever this device typed last.
    func run(_ field: UInt32, _ caret: Int, _ random: inout SeededRandom) -> [Change] {
        (0..<random.number(in: 1...6)).map { _ in
            .edit(field: field, at: caret, deleting: 0, inserting: piece(&random))
        }
    }

    private func piece(_ random: inout SeededRandom) -> String {
        let pieces = ["a", "b", "no", " ", "Ä", "水", "👩", "e\u{301}", "\u{200d}", "\u{301}", "\n"]
        return random.chance(1, in: 12) ? Canary.text : random.pick(pieces)
    }

    private func sentence(_ random: inout SeededRandom) -> String {
        let words = ["take", "with", "water", "水", "👩‍👩‍👧", "é", "twice"]
        return (0..<random.number(in: 0...6)).map { _ in random.pick(words) }
            .joined(separator: " ")
    }
}
