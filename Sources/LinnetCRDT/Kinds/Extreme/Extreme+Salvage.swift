extension Extreme {
    /// Adds the op that shows, if it was lost.
    func salvage(into field: inout FieldSalvage) {
        guard field.lost.contain(position) else { return }
        field.add(end == .largest ? .maxSet : .minSet, payload, at: position, stamp: stamp)
    }
}
