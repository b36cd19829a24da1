/// The memory that the records of an overlay take, in bytes, approximately.
struct OverlayWeight {
    /// The memory of the records that equal their rows.
    private(set) var clean = 0
    /// The memory of the records that differ from their rows.
    private(set) var dirty = 0

    /// Counts a record that equals its row.
    mutating func add(_ weight: Int) { clean += weight }

    /// Counts a record no more that equals its row.
    mutating func remove(_ weight: Int) { clean -= weight }

    /// Notes that a record differs from its row.
    mutating func changed(_ weight: Int) {
        clean -= weight
        dirty += weight
    }

    /// Notes that a record was measured again.
    mutating func measured(_ before: Int, _ after: Int, isDirty: Bool) {
        if isDirty { dirty += after - before } else { clean += after - before }
    }

    /// Notes that a record was written to its row, and what it takes since.
    mutating func wrote(_ before: Int, _ after: Int) {
        dirty -= before
        clean += after
    }
}
