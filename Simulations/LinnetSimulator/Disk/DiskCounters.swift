/// The requests to a disk and the faults on it, since it was made.
package struct DiskCounters: Equatable, Sendable {
    /// Files opened, deleted, and cut short.
    package var opens = 0
    package var deletes = 0
    package var truncates = 0
    /// Reads, writes and syncs, those that failed among them.
    package var reads = 0
    package var writes = 0
    package var syncs = 0
    /// Times that the power failed, and that a process died.
    package var powerFailures = 0
    package var kills = 0
    /// Unsynced writes and truncations that a power failure took back, and writes it tore.
    package var lostWrites = 0
    package var tornWrites = 0
    /// New files that a power failure took, and deleted ones that it brought back.
    package var lostFiles = 0
    package var returnedFiles = 0
    /// Calls that were told to fail.
    package var failedReads = 0
    package var failedWrites = 0
    package var failedSyncs = 0
    /// Writes for which there was no room.
    package var refusedWrites = 0
    /// Syncs that were answered without being done.
    package var lies = 0
    /// Bits that rotted.
    package var rottenBits = 0

    package init() {}

    /// Calls of every kind, the number that a crash is scheduled by.
    package var calls: Int { opens + deletes + truncates + reads + writes + syncs }
}
