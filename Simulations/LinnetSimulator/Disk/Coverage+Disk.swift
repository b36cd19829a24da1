extension Coverage {
    /// Adds what went wrong on a disk; crashes and rot are counted where they are ordered.
    mutating func add(_ counters: DiskCounters) {
        happened(.lostWrites, counters.lostWrites)
        happened(.tornWrite, counters.tornWrites)
        happened(.syncFailure, counters.failedSyncs)
        happened(.writeError, counters.failedWrites)
        happened(.readError, counters.failedReads)
        happened(.diskFull, counters.refusedWrites)
    }
}
