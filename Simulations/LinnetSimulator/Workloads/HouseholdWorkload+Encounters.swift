import LinnetCRDT
import LinnetReplication

/// The deeds of two people on one record at about the same time, each in the order given.
extension HouseholdWorkload {
    func encounter(_ kind: FaultKind, _ random: inout SeededRandom) -> [EncounterStep] {
        guard hasAllKinds else { return [] }
        let parcel = key(HouseholdSchema.parcels, random.below(4))
        func first(_ changes: [Change]) -> EncounterStep {
            EncounterStep(isFirst: true, write: Write(parcel, changes))
        }
        func second(_ changes: [Change]) -> EncounterStep {
            EncounterStep(isFirst: false, write: Write(parcel, changes))
        }
        switch kind {
        case .restoration:
            return [first([.delete]), second(anything(&random)), first([.restore])]
                + (random.chance(1, in: 2) ? [second([.delete])] : [second([.restore])])
        case .typing:
            return [
                first(run(4, Caret.onward, &random)), second(run(4, Caret.onward, &random)),
                first(run(4, Caret.backward, &random)), second(run(4, Caret.backward, &random)),
                first(typing(4, &random)), second(typing(4, &random)),
            ]
        case .recount:
            return [
                first([.recount(field: 3, .int(Int64(random.below(40))))]),
                second([.count(field: 3, key: "unseen\(random.below(50))", amount: .int(-1))]),
                second([tally(3, &random, decimal: false)]),
            ]
        case .sameOccurrence: return occurrence(&random)
        case .collision:
            let number = 1_000 + random.below(1_000)
            return [
                EncounterStep(isFirst: true, write: dose(number: number, &random)),
                EncounterStep(isFirst: false, write: dose(number: number, &random)),
            ]
        case .move:
            return [
                first([.set(FieldWrite(6, .text(place(&random))))]),
                second([.set(FieldWrite(6, .text(place(&random))))]),
            ]
        case .membership:
            let value = Value.text(random.pick(["red", "green", "blue"]))
            return [
                first([.add(field: 5, value)]), second([.add(field: 5, value)]),
                first([.remove(field: 5, value)]), second([.add(field: 5, value)]),
            ]
        default: return []
        }
    }

    func writeToLeave(_ random: inout SeededRandom) -> Write? {
        .set(
            collection: HouseholdSchema.photos, record: id("p\(random.below(4))"),
            fields: [FieldWrite(1, text(&random))])
    }

    /// One dose, noted by both; one of them may take it back and note it again.
    private func occurrence(_ random: inout SeededRandom) -> [EncounterStep] {
        let key = key(HouseholdSchema.stock, random.below(2))
        let change = taking(1_000 + random.below(1_000))
        return [true, false, random.chance(1, in: 2)].map {
            EncounterStep(isFirst: $0, write: Write(key, [change]))
        }
    }

    private func anything(_ random: inout SeededRandom) -> [Change] {
        switch random.below(5) {
        case 0: [.set(FieldWrite(2, text(&random)))]
        case 1: [tally(3, &random, decimal: false)]
        case 2: typing(4, &random)
        case 3: [element(5, &random)]
        default: [.set(FieldWrite(6, .text(place(&random))))]
        }
    }
}
