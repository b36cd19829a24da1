internal import CSQLite
internal import Synchronization

/// The file system that all disks are under: what is on no disk goes to the usual one.
enum DiskSystem {
    /// The randomness that SQLite is given.
    static let random = Mutex(SeededRandom(seed: 0))

    /// The file system that was the default before.
    static nonisolated(unsafe) let usual: UnsafeMutablePointer<sqlite3_vfs> = {
        guard let usual = unsafe sqlite3_vfs_find(nil) else {
            preconditionFailure("SQLite has no file system")
        }
        return unsafe usual
    }()

    /// The file system itself, registered when first asked for.
    static nonisolated(unsafe) let system: UnsafeMutablePointer<sqlite3_vfs> = {
        let name = UnsafeMutablePointer<CChar>.allocate(capacity: Disk.vfs.utf8.count + 1)
        for (index, byte) in Disk.vfs.utf8CString.enumerated() { unsafe name[index] = byte }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe system.initialize(to: sqlite3_vfs())
        unsafe system.pointee.iVersion = 2
        unsafe system.pointee.szOsFile = max(OpenDiskFile.bytes, usual.pointee.szOsFile)
        unsafe system.pointee.mxPathname = unsafe usual.pointee.mxPathname
        unsafe system.pointee.zName = unsafe UnsafePointer(name)
        unsafe system.pointee.xOpen = { unsafe open($1, $2, $3, $4) }
        unsafe system.pointee.xDelete = { unsafe delete($1, $2) }
        unsafe system.pointee.xAccess = { unsafe access($1, $2, $3) }
        unsafe system.pointee.xFullPathname = { unsafe complete($1, $2, $3) }
        unsafe system.pointee.xRandomness = { unsafe draw($1, $2) }
        unsafe system.pointee.xSleep = { _, microseconds in microseconds }
        // The first day of 2024 as a Julian day: simulated files see no time pass.
        unsafe system.pointee.xCurrentTime = { _, days in
            unsafe days?.pointee = 2_460_310.5
            return SQLITE_OK
        }
        unsafe system.pointee.xCurrentTimeInt64 = { _, milliseconds in
            unsafe milliseconds?.pointee = 212_570_827_200_000
            return SQLITE_OK
        }
        unsafe sqlite3_vfs_register(system, 0)
        return unsafe system
    }()

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ given: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let file = unsafe file else { return SQLITE_MISUSE }
        unsafe file.pointee.pMethods = nil
        guard let path = unsafe path else {
            // A file without a name is nobody's: memory that nothing happens to.
            unsafe OpenDiskFile.start(file, DiskFile(name: ""), on: nil)
            return SQLITE_OK
        }
        guard let place = unsafe DiskRegistry.find(path) else {
            return unsafe usual.pointee.xOpen(usual, path, file, flags, given)
        }
        let opened = place.disk.opens(
            place.file, creates: flags & SQLITE_OPEN_CREATE != 0,
            mustBeNew: flags & SQLITE_OPEN_EXCLUSIVE != 0)
        guard let content = opened.file else { return opened.code }
        unsafe OpenDiskFile.start(
            file, content, on: place.disk, isTransient: flags & SQLITE_OPEN_DELETEONCLOSE != 0)
        unsafe given?.pointee = flags
        return SQLITE_OK
    }

    private static func delete(_ path: UnsafePointer<CChar>?, _ syncsDirectory: Int32) -> Int32 {
        guard let path = unsafe path else { return SQLITE_MISUSE }
        guard let place = unsafe DiskRegistry.find(path) else {
            return unsafe usual.pointee.xDelete(usual, path, syncsDirectory)
        }
        return place.disk.deletes(place.file, syncsDirectory: syncsDirectory != 0)
    }

    private static func access(
        _ path: UnsafePointer<CChar>?, _ flags: Int32, _ answer: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let path = unsafe path else { return SQLITE_MISUSE }
        guard let place = unsafe DiskRegistry.find(path) else {
            return unsafe usual.pointee.xAccess(usual, path, flags, answer)
        }
        guard !place.disk.isDown else { return SQLITE_IOERR }
        // As the unix file system has it, an empty file does not exist.
        let size = place.disk.file(place.file).map { max($0.size, flags == 0 ? 0 : 1) } ?? 0
        unsafe answer?.pointee = size > 0 ? 1 : 0
        return SQLITE_OK
    }

    private static func complete(
        _ path: UnsafePointer<CChar>?, _ capacity: Int32, _ target: UnsafeMutablePointer<CChar>?
    ) -> Int32 {
        guard let path = unsafe path, let target = unsafe target else { return SQLITE_MISUSE }
        guard unsafe DiskRegistry.find(path) != nil else {
            return unsafe usual.pointee.xFullPathname(usual, path, capacity, target)
        }
        var index = 0
        while unsafe path[index] != 0 { index += 1 }
        guard index < capacity else { return SQLITE_CANTOPEN }
        unsafe target.update(from: path, count: index + 1)
        return SQLITE_OK
    }

    private static func draw(_ count: Int32, _ target: UnsafeMutablePointer<CChar>?) -> Int32 {
        guard let target = unsafe target else { return 0 }
        let bytes = random.withLock { $0.bytes(Int(count)) }
        for (index, byte) in bytes.enumerated() {
            unsafe target[index] = CChar(bitPattern: byte)
        }
        return count
    }
}
