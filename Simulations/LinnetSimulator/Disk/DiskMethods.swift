internal import CSQLite

/// The methods of an open file, version 2: with shared memory.
enum DiskMethods {
    static nonisolated(unsafe) let table: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe table.initialize(to: sqlite3_io_methods())
        unsafe table.pointee.iVersion = 2
        unsafe addBytes(table)
        unsafe addLocks(table)
        unsafe addMemory(table)
        return unsafe UnsafePointer(table)
    }()

    private static func addBytes(_ table: UnsafeMutablePointer<sqlite3_io_methods>) {
        unsafe table.pointee.xClose = { file in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            unsafe OpenDiskFile.of(file).pointee.close()
            return SQLITE_OK
        }
        unsafe table.pointee.xRead = { file, target, count, offset in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.read(target, count, offset)
        }
        unsafe table.pointee.xWrite = { file, source, count, offset in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.write(source, count, offset)
        }
        unsafe table.pointee.xTruncate = { file, size in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.truncate(size)
        }
        unsafe table.pointee.xSync = { file, _ in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.sync()
        }
        unsafe table.pointee.xFileSize = { file, answer in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.size(answer)
        }
        unsafe table.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        unsafe table.pointee.xSectorSize = { _ in Int32(Disk.sectorBytes) }
        unsafe table.pointee.xDeviceCharacteristics = { file in
            guard let file = unsafe file else { return 0 }
            return unsafe OpenDiskFile.of(file).pointee.characteristics
        }
    }

    private static func addLocks(_ table: UnsafeMutablePointer<sqlite3_io_methods>) {
        unsafe table.pointee.xLock = { file, level in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.lock(level)
        }
        unsafe table.pointee.xUnlock = { file, level in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.unlock(level)
        }
        unsafe table.pointee.xCheckReservedLock = { file, answer in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.checkReserved(answer)
        }
    }

    private static func addMemory(_ table: UnsafeMutablePointer<sqlite3_io_methods>) {
        unsafe table.pointee.xShmMap = { file, index, bytes, extends, answer in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.map(index, bytes, extends != 0, answer)
        }
        unsafe table.pointee.xShmLock = { file, first, count, flags in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe OpenDiskFile.of(file).pointee.lockMemory(first, count, flags)
        }
        // One thread at a time uses a disk.
        unsafe table.pointee.xShmBarrier = { _ in }
        unsafe table.pointee.xShmUnmap = { file, deletes in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            unsafe OpenDiskFile.of(file).pointee.unmap(deletes: deletes != 0)
            return SQLITE_OK
        }
    }
}
