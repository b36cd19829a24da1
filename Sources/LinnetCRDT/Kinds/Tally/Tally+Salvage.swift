extension Tally {
    /// Adds the entries and the base that were lost, under the same keys, with the entries that
    /// they replaced.
    func salvage(beyond known: Tally, into field: inout FieldSalvage) {
        for line in keys {
            let standing = positions(of: line.key)
            var replaced = known.positions(of: line.key).filter { !standing.contains($0) }
            let key = String(decoding: line.key, as: UTF8.self)
            for entry in line.entries where field.lost.contain(entry.position) {
                let written = TallyEntryPayload(
                    key: key, amount: entry.amount, observed: replaced)
                field.add(
                    .tallyEntry, written.payload, at: entry.position, stamp: entry.stamp)
                replaced = []
            }
            // A recount that has seen it covers the key, whatever replaced it since.
            for first in firsts(of: line.key)
            where field.lost.contain(first) && !standing.contains(first) {
                let written = TallyEntryPayload(key: key, amount: .zero, observed: [])
                field.add(.tallyEntry, written.payload, at: first)
            }
            guard !replaced.isEmpty else { continue }
            // A lost entry replaced them, and was itself replaced since: nothing adds nothing.
            field.add(
                .tallyEntry,
                TallyEntryPayload(key: key, amount: .zero, observed: replaced).payload)
        }
        guard let base, field.lost.contain(base.position) else { return }
        field.add(
            .tallyBase, TallyBasePayload(amount: base.value, context: base.context).payload,
            at: base.position, stamp: base.stamp)
    }
}
