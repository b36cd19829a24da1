import LinnetCRDT
import LinnetMedication
import LinnetReplication
import LinnetStorage
import LinnetWire

/// M1: the stock is what people put in and took out.
extension Inspector {
    func checkStock(_ deeds: [ShownDeed], _ device: Int) throws(Violation) {
        for medication in medication.habits.keys.sorted() {
            let own = deeds.filter { $0.entry.deed.medication == medication }
            guard !own.isEmpty, let expected = stock(of: own) else { continue }
            let key = RecordKey(
                collection: LinnetCRDT.Schema.stock.id, record: MedicationDeed.id(medication))
            guard case .tally(let tally)? = views[device].records[key]?.content(of: 1) else {
                throw Violation(
                    .stockIsTheLedger, "medicine \(medication) has no stock", devices: [device])
            }
            guard tally.total != MedicationReference.number(expected) else { continue }
            throw Violation(
                .stockIsTheLedger,
                "medicine \(medication) has \(tally.total) left and should have \(expected)",
                devices: [device])
        }
    }

    /// What should be left; nil when two counted at the same time of all clocks.
    private func stock(of deeds: [ShownDeed]) -> Int? {
        var counted: (deed: ShownDeed, stamp: Timestamp, amount: Int)?
        for deed in deeds {
            guard case .recount(let amount) = deed.entry.deed.kind,
                let stamp = deed.facts.flatMap({ catalogue.operationsOfFact[$0] })
                    .first(where: { $0.key.collection == LinnetCRDT.Schema.stock.id })?.stamp
            else { continue }
            if let last = counted, last.stamp == stamp { return nil }
            if let last = counted, last.stamp > stamp { continue }
            counted = (deed, stamp, amount)
        }
        func isCounted(_ deed: ShownDeed) -> Bool {
            counted.map { hasSeen($0.deed, deed) } ?? false
        }
        var left = counted?.amount ?? 0
        for deed in deeds where !isCounted(deed) {
            switch deed.entry.deed.kind {
            case .add: left += 100
            case .refill(let amount): left += amount
            case .additional: left -= 1
            default: break
            }
        }
        for taps in tapsByDose(deeds) where !taps.contains(where: isCounted) {
            if stands(taps) { left -= 1 }
        }
        return left
    }

    /// What was recorded of each dose, by the dose.
    func tapsByDose(_ deeds: [ShownDeed]) -> [[ShownDeed]] {
        var doses: [Int64: [ShownDeed]] = [:]
        for deed in deeds {
            guard let dose = deed.entry.dose else { continue }
            switch deed.entry.deed.kind {
            case .take, .undo: doses[dose.milliseconds, default: []].append(deed)
            default: break
            }
        }
        return doses.keys.sorted().compactMap { doses[$0] }
    }

    /// Whether a dose counts as taken: some tap that nobody took back who had seen it.
    func stands(_ taps: [ShownDeed]) -> Bool {
        taps.contains { tap in
            guard case .take = tap.entry.deed.kind else { return false }
            return !taps.contains { other in
                if case .undo = other.entry.deed.kind { hasSeen(other, tap) } else { false }
            }
        }
    }
}
