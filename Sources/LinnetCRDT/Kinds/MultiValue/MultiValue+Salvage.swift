import LinnetWire

extension MultiValue {
    /// Adds the writes that were lost, with the values that they replaced.
    func salvage(beyond known: MultiValue, into field: inout FieldSalvage) {
        let standing = positions
        var replaced = known.positions.filter { !standing.contains($0) }
        for entry in entries where field.lost.contain(entry.position) {
            field.add(
                .mvSet, ObservedValue(value: entry.payload, observed: replaced).payload,
                at: entry.position, stamp: entry.stamp)
            replaced = []
        }
        // A lost write replaced them, and was itself replaced since.
        guard !replaced.isEmpty, let shown = visible.first else { return }
        let observed = OrderedSet(replaced + [shown.position]).elements
        field.add(
            .mvSet, ObservedValue(value: shown.payload, observed: observed).payload,
            stamp: shown.stamp)
    }
}
