/// The faults to come on a disk, by the numbers of its calls.
struct DiskFaults {
    /// The call at which the power fails.
    var crash = Int.max
    /// The read, write and sync that fail.
    var read = Int.max
    /// The number of reads that fail in a row.
    var reads = 1
    var write = Int.max
    var sync = Int.max
    /// By how many bytes files can grow; nil when there is always room.
    var room: Int?

    init(room: Int? = nil) { self.room = room }

    /// Takes room for a file to grow; false when there is too little.
    mutating func take(_ bytes: Int) -> Bool {
        guard let room else { return true }
        guard bytes <= room else { return bytes == 0 }
        self.room = room - bytes
        return true
    }

    /// Room that a file no longer needs.
    mutating func give(_ bytes: Int) {
        if let room { self.room = room + bytes }
    }
}

extension Disk {
    /// The power fails at the `count`-th call from now, which is then half done.
    package func crash(atCall count: Int) {
        faults.crash = Self.after(counters.calls, count)
    }

    /// The `count`-th read from now fails, and so do those after it up to `reads` in all.
    package func failRead(_ count: Int = 1, reads: Int = 1) {
        faults.read = Self.after(counters.reads, count)
        faults.reads = reads
    }

    /// The `count`-th write from now fails once; a part of it may be done.
    package func failWrite(_ count: Int = 1) { faults.write = Self.after(counters.writes, count) }

    /// The `count`-th sync from now fails once; it may be done or not.
    package func failSync(_ count: Int = 1) { faults.sync = Self.after(counters.syncs, count) }

    /// Files can grow by so many bytes more, in all, and no write that needs more is done.
    package func fill(after bytes: Int = 0) { faults.room = max(0, bytes) }

    /// There is room again.
    package func empty() { faults.room = nil }

    /// Nothing more that was scheduled happens, and there is room.
    package func clearFaults() { faults = DiskFaults() }

    private static func after(_ now: Int, _ count: Int) -> Int {
        precondition(count > 0, "a fault is scheduled for a call to come")
        return now + count
    }
}
