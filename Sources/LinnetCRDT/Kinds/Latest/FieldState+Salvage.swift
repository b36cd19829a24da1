extension FieldState {
    /// Adds the op that shows, if it was lost.
    func salvage(into field: inout FieldSalvage) {
        guard field.lost.contain(position) else { return }
        let rules = field.field?.kind.rules as? any RegisterRules.Type
        let isGroup = (try? Value.decode(payload)) == nil
        field.add(
            rules?.setting ?? (isGroup ? .groupSet : .lwwSet), payload, at: position,
            stamp: stamp, generation: generation)
    }
}
