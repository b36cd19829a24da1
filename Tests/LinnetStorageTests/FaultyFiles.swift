import CSQLite

/// A file system for SQLite that passes everything on, until a write or a sync is told to fail.
@safe
final class FaultyFiles {
    enum Operation {
        case write, sync
    }

    let name: String
    /// How many writes and syncs there were.
    private(set) var writes = 0
    private(set) var syncs = 0
    private var fault: (operation: Operation, left: Int, code: Int32)?
    private let system: UnsafeMutablePointer<sqlite3_vfs>
    private let systemName: UnsafeMutablePointer<CChar>

    init(name: String) throws {
        self.name = name
        guard let usual = unsafe sqlite3_vfs_find(nil) else {
            throw Stranger.Complaint(text: "vfs")
        }
        unsafe systemName = .allocate(capacity: name.utf8.count + 1)
        for (index, byte) in name.utf8CString.enumerated() { unsafe systemName[index] = byte }
        unsafe system = .allocate(capacity: 1)
        unsafe system.initialize(to: usual.pointee)
        unsafe system.pointee.zName = unsafe UnsafePointer(systemName)
        unsafe system.pointee.szOsFile += FaultyFile.headerBytes
        unsafe system.pointee.pNext = nil
        unsafe system.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        unsafe system.pointee.xOpen = { system, path, file, flags, out in
            unsafe FaultyFile.open(system, path, file, flags, out)
        }
        unsafe sqlite3_vfs_register(system, 0)
    }

    deinit {
        unsafe sqlite3_vfs_unregister(system)
        unsafe system.deallocate()
        unsafe systemName.deallocate()
    }

    /// From now on the `count`-th such operation, and all after it, fail with a code.
    func fail(_ operation: Operation, _ count: Int = 1, with code: Int32) {
        fault = (operation, count, code)
    }

    /// From now on nothing fails.
    func heal() { fault = nil }

    /// Counts an operation; the code it fails with, nil when it is to be done.
    func admit(_ operation: Operation) -> Int32? {
        switch operation {
        case .write: writes += 1
        case .sync: syncs += 1
        }
        guard let fault, fault.operation == operation else { return nil }
        self.fault?.left -= 1
        return fault.left <= 1 ? fault.code : nil
    }
}

/// An open file: our methods and our file system, then the file that does the work.
private enum FaultyFile {
    @unsafe
    struct Header {
        var base: sqlite3_file
        var files: UnsafeMutableRawPointer?
    }

    static let headerBytes = unsafe Int32(MemoryLayout<Header>.stride)

    typealias File = UnsafeMutablePointer<sqlite3_file>

    private static func inner(_ file: File?) -> File? {
        unsafe file.map { UnsafeMutableRawPointer($0) }.map {
            unsafe ($0 + Int(headerBytes)).assumingMemoryBound(to: sqlite3_file.self)
        }
    }

    private static func methods(_ file: File?) -> sqlite3_io_methods? {
        unsafe inner(file)?.pointee.pMethods?.pointee
    }

    private static func refuses(_ file: File?, _ operation: FaultyFiles.Operation) -> Int32? {
        guard let file = unsafe file else { return SQLITE_MISUSE }
        let header = unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: Header.self)
        guard let files = unsafe header.pointee.files else { return SQLITE_MISUSE }
        return unsafe Unmanaged<FaultyFiles>.fromOpaque(files).takeUnretainedValue()
            .admit(operation)
    }

    static func open(
        _ system: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?, _ file: File?,
        _ flags: Int32, _ out: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let file = unsafe file, let usual = unsafe sqlite3_vfs_find("unix") else {
            return SQLITE_MISUSE
        }
        let header = unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: Header.self)
        unsafe header.initialize(
            to: Header(base: sqlite3_file(pMethods: nil), files: system?.pointee.pAppData))
        let code = unsafe usual.pointee.xOpen(usual, path, inner(file), flags, out)
        if code == SQLITE_OK { unsafe file.pointee.pMethods = unsafe table }
        return code
    }

    /// Version 1: without shared memory, which an exclusive connection does not need.
    private nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe table.initialize(to: sqlite3_io_methods())
        unsafe table.pointee.iVersion = 1
        unsafe table.pointee.xClose = { unsafe methods($0)?.xClose(inner($0)) ?? SQLITE_MISUSE }
        unsafe table.pointee.xRead = {
            unsafe methods($0)?.xRead(inner($0), $1, $2, $3) ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xWrite = {
            unsafe refuses($0, .write) ?? methods($0)?.xWrite(inner($0), $1, $2, $3)
                ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xTruncate = {
            unsafe methods($0)?.xTruncate(inner($0), $1) ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xSync = {
            unsafe refuses($0, .sync) ?? methods($0)?.xSync(inner($0), $1) ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xFileSize = {
            unsafe methods($0)?.xFileSize(inner($0), $1) ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xLock = { unsafe methods($0)?.xLock(inner($0), $1) ?? SQLITE_MISUSE }
        unsafe table.pointee.xUnlock = {
            unsafe methods($0)?.xUnlock(inner($0), $1) ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xCheckReservedLock = {
            unsafe methods($0)?.xCheckReservedLock(inner($0), $1) ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xFileControl = {
            unsafe methods($0)?.xFileControl(inner($0), $1, $2) ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xSectorSize = { unsafe methods($0)?.xSectorSize(inner($0)) ?? 0 }
        unsafe table.pointee.xDeviceCharacteristics = {
            unsafe methods($0)?.xDeviceCharacteristics(inner($0)) ?? 0
        }
        return unsafe UnsafePointer(table)
    }()
}
