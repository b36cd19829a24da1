/// One file of a disk: its bytes as they are read now, and how to take back what was not synced.
///
/// The technique is that of SQLite's own crash tests (src/test6.c), turned round: the old bytes are
/// kept, not the new ones, so that a sync only forgets them.
@safe
final class DiskFile {
    /// A write or a truncation since the last sync.
    private struct Change {
        let offset: Int
        let count: Int
        let sizeBefore: Int
        let isTruncation: Bool
        /// The place of its old bytes in `old`; of its new ones once it was taken back.
        let place: Int
        /// The effect that a power failure has on it.
        var fate = Fate.open
    }

    /// Open: anything. The others only after a failed sync that was forgotten.
    private enum Fate {
        case open, kept, lost
    }

    /// A file can be no longer than this, in bytes.
    static let maxBytes = 1 << 32

    let name: String
    /// True when the directory entry would survive a power failure: from the first sync on.
    var isEntered: Bool
    /// The holders of the locks on it.
    var locks = FileLocks()
    /// The shared memory beside it, if any connection uses one.
    var memory: SharedMemory?
    private(set) var size = 0
    private(set) var content = Bytes()
    private var changes: [Change] = []
    private var old = Bytes()
    private var hasForgotten = false

    init(name: String, isEntered: Bool = false) {
        self.name = name
        self.isEntered = isEntered
    }

    /// A file whose bytes are on the disk for good.
    init(name: String, bytes: [UInt8]) {
        self.name = name
        isEntered = true
        size = bytes.count
        content.reserve(size)
        unsafe content.base.copyMemory(from: bytes, byteCount: size)
    }

    /// All bytes, as they are read now.
    var bytes: [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: content.base, count: size))
    }

    /// The bytes that a write would add to the file.
    func growth(_ count: Int, at offset: Int) -> Int { max(0, offset + count - size) }

    /// Copies bytes out, zeros where the file has none; how many there were.
    func read(into target: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int {
        let present = min(count, max(0, size - offset))
        if present > 0 {
            unsafe target.copyMemory(from: content.base + offset, byteCount: present)
        }
        if present < count {
            unsafe (target + present).initializeMemory(
                as: UInt8.self, repeating: 0, count: count - present)
        }
        return present
    }

    /// Writes bytes that a power failure may take back.
    func write(_ source: UnsafeRawPointer, _ count: Int, at offset: Int) {
        content.reserve(offset + count)
        remember(offset, count, isTruncation: false)
        unsafe (content.base + offset).copyMemory(from: source, byteCount: count)
        size = max(size, offset + count)
    }

    /// Cuts the file to a size, unless it is shorter; a power failure may take that back.
    func truncate(to newSize: Int) {
        guard newSize < size else { return }
        remember(newSize, size - newSize, isTruncation: true)
        cut(to: newSize)
    }

    /// Everything written so far stays, but for what was forgotten.
    func sync() {
        isEntered = true
        guard hasForgotten else { return settle() }
        for index in changes.indices where changes[index].fate == .open {
            changes[index].fate = .kept
        }
    }

    /// A sync failed and the system takes its pages for clean: each change is on the disk or
    /// never will be, whatever later syncs say, and is read as if it were.
    func forget(_ random: inout SeededRandom) {
        for index in changes.indices where changes[index].fate == .open {
            changes[index].fate = random.chance(1, in: 2) ? .kept : .lost
            hasForgotten = true
        }
    }

    /// The remains after a power failure: an arbitrary subset of the changes, one of them torn.
    func losePower(
        _ random: inout SeededRandom, tearing: Tearing, _ counters: inout DiskCounters
    ) {
        guard !changes.isEmpty else { return }
        for change in changes.reversed() { takeBack(change) }
        let keptQuarters = random.below(5)
        let torn = random.chance(1, in: 2) ? changes.count - 1 : random.below(changes.count)
        for (index, change) in changes.enumerated() {
            let survives =
                switch change.fate {
                case .open: random.chance(keptQuarters, in: 4)
                case .kept: true
                case .lost: false
                }
            if index == torn, change.fate == .open, !change.isTruncation {
                counters.tornWrites += 1
                tear(change, tearing, &random)
            } else if survives {
                redo(change)
            } else {
                counters.lostWrites += 1
            }
        }
        settle()
    }

    // MARK: Changes

    private func settle() {
        changes.removeAll(keepingCapacity: true)
        old.count = 0
        hasForgotten = false
    }

    private func remember(_ offset: Int, _ count: Int, isTruncation: Bool) {
        changes.append(
            Change(
                offset: offset, count: count, sizeBefore: size, isTruncation: isTruncation,
                place: old.count))
        old.reserve(old.count + count)
        unsafe (old.base + old.count).copyMemory(from: content.base + offset, byteCount: count)
        old.count += count
    }

    private func cut(to newSize: Int) {
        guard newSize < size else { return }
        unsafe (content.base + newSize).initializeMemory(
            as: UInt8.self, repeating: 0, count: size - newSize)
        size = newSize
    }

    private func takeBack(_ change: Change) {
        let present = unsafe content.base + change.offset
        let past = unsafe old.base + change.place
        unsafe withUnsafeTemporaryAllocation(byteCount: change.count, alignment: 16) { spare in
            guard let spare = spare.baseAddress else { return }
            unsafe spare.copyMemory(from: present, byteCount: change.count)
            unsafe present.copyMemory(from: past, byteCount: change.count)
            unsafe past.copyMemory(from: spare, byteCount: change.count)
        }
        size = change.sizeBefore
    }

    private func redo(_ change: Change) {
        if change.isTruncation {
            cut(to: change.offset)
        } else {
            redo(change, 0..<change.count)
        }
    }

    private func redo(_ change: Change, _ part: Range<Int>) {
        guard !part.isEmpty else { return }
        unsafe (content.base + change.offset + part.lowerBound).copyMemory(
            from: old.base + change.place + part.lowerBound, byteCount: part.count)
        size = max(size, change.offset + part.upperBound)
    }

    /// Redoes a part of a write: up to any byte, up to a sector, or some sectors of it; where the
    /// disk spares no neighbours, the sector it ended in is garbage.
    private func tear(_ change: Change, _ tearing: Tearing, _ random: inout SeededRandom) {
        let sector = tearing.sectorBytes
        let kind = random.below(3)
        if kind == 2 {
            var start = 0
            while start < change.count {
                let end = min(
                    change.count,
                    (change.offset + start) / sector * sector + sector
                        - change.offset)
                if random.chance(1, in: 2) { redo(change, start..<end) }
                start = end
            }
            return
        }
        var end = random.below(change.count + 1)
        if kind == 1 { end = max(0, (change.offset + end) / sector * sector - change.offset) }
        redo(change, 0..<end)
        if kind == 0, !tearing.sparesNeighbours {
            spoil(around: change.offset + end, sector, &random)
        }
    }

    private func spoil(around offset: Int, _ sector: Int, _ random: inout SeededRandom) {
        let start = offset / sector * sector
        let garbage = random.bytes(max(0, min(start + sector, size) - start))
        unsafe (content.base + start).copyMemory(from: garbage, byteCount: garbage.count)
    }
}

/// The way in which a disk tears a write that it was at when the power failed.
struct Tearing {
    /// The bytes that it writes at a time.
    var sectorBytes: Int
    /// True when the bytes of a sector beside those written stay as they were.
    var sparesNeighbours: Bool
}
