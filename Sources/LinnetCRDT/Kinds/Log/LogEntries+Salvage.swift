extension LogEntries {
    /// Adds the records that were lost.
    func salvage(into field: inout FieldSalvage) {
        for entry in entries where field.lost.contain(entry.position) {
            field.add(.logInsert, entry.payload, at: entry.position, stamp: entry.stamp)
        }
    }
}
