extension ElementSet {
    /// Adds the additions and removals that were lost.
    func salvage(beyond known: ElementSet, into field: inout FieldSalvage) {
        for element in elements {
            let standing = positions(of: element)
            for position in standing where field.lost.contain(position) {
                field.add(
                    .setAdd, ObservedValue(value: element, observed: []).payload, at: position)
            }
        }
        for element in known.elements {
            let standing = positions(of: element)
            let removed = known.positions(of: element).filter { !standing.contains($0) }
            guard !removed.isEmpty else { continue }
            field.add(.setRemove, ObservedValue(value: element, observed: removed).payload)
        }
    }
}
