import LinnetCRDT
import LinnetMedication
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The stock is what people put in and took out.
final class StockIsTheLedger: Checker {
    let invariant = Invariant.stockIsTheLedger
    let sights: [Sight.Kind] = [.medication]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .medication(let shown) = sight, shown.problem == nil, !known.medication.travels
        else { return }
        try check(shown.deeds, shown.device)
    }

    private func check(_ deeds: [ShownDeed], _ device: Int) throws(Violation) {
        for medication in known.medication.habits.keys.sorted() {
            let own = deeds.filter { $0.entry.deed.medication == medication }
            guard !own.isEmpty, let expected = stock(of: own) else { continue }
            let key = RecordKey(
                collection: Schema.stock.id, record: MedicationDeed.id(medication))
            guard case .tally(let tally)? = known.views[device].records[key]?.content(of: 1) else {
                throw violation(
                    "medicine \(medication) has no stock", on: device)
            }
            guard tally.total != MedicationReference.number(expected) else { continue }
            throw violation(
                "medicine \(medication) has \(tally.total) left and should have \(expected)",
                on: device)
        }
    }

    /// The stock that should be left; nil when two counted at the same time of all clocks.
    private func stock(of deeds: [ShownDeed]) -> Int? {
        var counted: (deed: ShownDeed, stamp: Timestamp, amount: Int)?
        for deed in deeds {
            guard case .recount(let amount) = deed.entry.deed.kind,
                let stamp = deed.facts.flatMap({ known.catalogue.operationsOfFact[$0] })
                    .first(where: { $0.key.collection == Schema.stock.id })?.stamp
            else { continue }
            if let last = counted, last.stamp == stamp { return nil }
            if let last = counted, last.stamp > stamp { continue }
            counted = (deed, stamp, amount)
        }
        func isCounted(_ deed: ShownDeed) -> Bool {
            counted.map { known.hasSeen($0.deed, deed) } ?? false
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
        for taps in known.tapsByDose(deeds) where !taps.contains(where: isCounted) {
            if known.stands(taps) { left -= 1 }
        }
        return left
    }
}
