internal import CSQLite

/// Result codes that C composes, which Swift does not import.
enum DiskCode {
    static let readFailed = SQLITE_IOERR | 1 << 8
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let writeFailed = SQLITE_IOERR | 3 << 8
    static let syncFailed = SQLITE_IOERR | 4 << 8
    static let nothingToDelete = SQLITE_IOERR | 23 << 8
}

/// The requests of SQLite to a disk, each call with its faults.
extension Disk {
    /// True when the power fails at the call that was just counted.
    private var isAtCrash: Bool { counters.calls == faults.crash }

    func opens(
        _ name: String, creates: Bool, mustBeNew: Bool
    ) -> (file: DiskFile?, code: Int32) {
        counters.opens += 1
        if isAtCrash { powerOff() }
        guard !isDown else { return (nil, SQLITE_IOERR) }
        if let file = file(name) {
            return mustBeNew ? (nil, SQLITE_CANTOPEN) : (file, SQLITE_OK)
        }
        return creates ? (create(name), SQLITE_OK) : (nil, SQLITE_CANTOPEN)
    }

    func deletes(_ name: String, syncsDirectory: Bool) -> Int32 {
        counters.deletes += 1
        guard !isDown else { return SQLITE_IOERR }
        if isAtCrash {
            _ = delete(name, syncsDirectory: false)
            powerOff()
            return SQLITE_IOERR
        }
        let isDone = delete(name, syncsDirectory: syncsDirectory)
        return isDone ? SQLITE_OK : DiskCode.nothingToDelete
    }

    func reads(
        _ file: DiskFile, into target: UnsafeMutableRawPointer, _ count: Int, at offset: Int
    ) -> Int32 {
        counters.reads += 1
        if isAtCrash {
            powerOff()
            return SQLITE_IOERR
        }
        if counters.reads >= faults.read, counters.reads - faults.read < faults.reads {
            counters.failedReads += 1
            return DiskCode.readFailed
        }
        let present = unsafe file.read(into: target, count, at: offset)
        return present == count ? SQLITE_OK : DiskCode.shortRead
    }

    func writes(
        _ file: DiskFile, _ source: UnsafeRawPointer, _ count: Int, at offset: Int
    ) -> Int32 {
        counters.writes += 1
        guard offset >= 0, offset <= DiskFile.maxBytes - count,
            faults.take(file.growth(count, at: offset))
        else {
            if isAtCrash {
                powerOff()
                return SQLITE_IOERR
            }
            counters.refusedWrites += 1
            return SQLITE_FULL
        }
        if isAtCrash {
            unsafe file.write(source, count, at: offset)
            powerOff()
            return SQLITE_IOERR
        }
        if counters.writes == faults.write {
            counters.failedWrites += 1
            let part = random.chance(1, in: 2) ? random.below(count + 1) : 0
            if part > 0 { unsafe file.write(source, part, at: offset) }
            return DiskCode.writeFailed
        }
        unsafe file.write(source, count, at: offset)
        return SQLITE_OK
    }

    func truncates(_ file: DiskFile, to size: Int) -> Int32 {
        counters.truncates += 1
        faults.give(max(0, file.size - size))
        file.truncate(to: max(0, size))
        guard isAtCrash else { return SQLITE_OK }
        powerOff()
        return SQLITE_IOERR
    }

    func syncs(_ file: DiskFile) -> Int32 {
        counters.syncs += 1
        if isAtCrash {
            powerOff()
            return SQLITE_IOERR
        }
        if counters.syncs == faults.sync {
            counters.failedSyncs += 1
            if forgetsFailedSyncs {
                file.forget(&random)
            } else if random.chance(1, in: 2) {
                settle(file)
            }
            return DiskCode.syncFailed
        }
        if lies {
            counters.lies += 1
        } else {
            settle(file)
        }
        return SQLITE_OK
    }
}
