internal import CSQLite

/// A file system for SQLite that reads the files of a disk and keeps every change in memory.
///
/// With it a store opens where nothing can be written: the log is read, recovered and moved as
/// always, and what that writes goes when the connection ends. The file is locked against another
/// process that would write it.
package enum ReadingFiles {
    /// The name under which SQLite knows it.
    package static let name = "linnet-reading"

    /// Makes it known to SQLite; false when the platform has no file system at all.
    package static func register() -> Bool { isRegistered }

    private static let isRegistered: Bool = {
        guard let usual = unsafe sqlite3_vfs_find(nil) else { return false }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe system.initialize(to: usual.pointee)
        // Both live as long as the process, as SQLite asks.
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count + 1)
        for (index, byte) in name.utf8CString.enumerated() { unsafe text[index] = byte }
        unsafe system.pointee.zName = unsafe UnsafePointer(text)
        unsafe system.pointee.szOsFile += ReadingFile.headerBytes
        unsafe system.pointee.pNext = nil
        unsafe system.pointee.xOpen = { _, path, file, flags, out in
            unsafe ReadingFile.open(path, file, flags, out)
        }
        unsafe system.pointee.xDelete = { _, _, _ in SQLITE_OK }
        return unsafe sqlite3_vfs_register(system, 0) == SQLITE_OK
    }()
}

/// An open file: our methods, the changes in memory, and the file on the disk if there is one.
private enum ReadingFile {
    typealias File = UnsafeMutablePointer<sqlite3_file>

    @unsafe
    struct Header {
        var base: sqlite3_file
        var changes: UnsafeMutableRawPointer?
        var isOnDisk: Bool
    }

    static let headerBytes = unsafe Int32(MemoryLayout<Header>.stride)

    static func open(
        _ path: UnsafePointer<CChar>?, _ file: File?, _ flags: Int32,
        _ out: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let file = unsafe file, let usual = unsafe sqlite3_vfs_find(nil) else {
            return SQLITE_MISUSE
        }
        unsafe file.pointee.pMethods = nil
        var isOnDisk: Int32 = 0
        if let path = unsafe path {
            let code = unsafe usual.pointee.xAccess(usual, path, SQLITE_ACCESS_EXISTS, &isOnDisk)
            guard code == SQLITE_OK else { return code }
        }
        if isOnDisk == 0, flags & SQLITE_OPEN_MAIN_DB != 0 { return SQLITE_CANTOPEN }
        let header = unsafe header(of: file)
        unsafe header.initialize(
            to: Header(base: sqlite3_file(pMethods: nil), changes: nil, isOnDisk: isOnDisk != 0))
        var size: Int64 = 0
        if isOnDisk != 0 {
            let reading = flags & Self.kinds | SQLITE_OPEN_READONLY
            var code = unsafe usual.pointee.xOpen(usual, path, inner(file), reading, nil)
            guard code == SQLITE_OK else { return code }
            code = unsafe methods(file)?.xFileSize(inner(file), &size) ?? SQLITE_MISUSE
            guard code == SQLITE_OK else {
                unsafe _ = methods(file)?.xClose(inner(file))
                return code
            }
        }
        let changes = ChangesInMemory(size: Int(size))
        unsafe header.pointee.changes = Unmanaged.passRetained(changes).toOpaque()
        unsafe out?.pointee = flags
        unsafe file.pointee.pMethods = unsafe table.pointer
        return SQLITE_OK
    }

    /// The flags that say what kind of file is opened.
    private static let kinds: Int32 = 0xF_FF00

    private static func header(of file: File) -> UnsafeMutablePointer<Header> {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: Header.self)
    }

    private static func inner(_ file: File) -> File {
        unsafe (UnsafeMutableRawPointer(file) + Int(headerBytes))
            .assumingMemoryBound(to: sqlite3_file.self)
    }

    private static func methods(_ file: File) -> sqlite3_io_methods? {
        unsafe header(of: file).pointee.isOnDisk
            ? unsafe inner(file).pointee.pMethods?.pointee : nil
    }

    private static func changes(of file: File) -> ChangesInMemory? {
        unsafe header(of: file).pointee.changes.map {
            unsafe Unmanaged<ChangesInMemory>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static func close(_ file: File) -> Int32 {
        if let changes = unsafe header(of: file).pointee.changes {
            unsafe Unmanaged<ChangesInMemory>.fromOpaque(changes).release()
        }
        unsafe header(of: file).pointee.changes = nil
        return unsafe methods(file)?.xClose(inner(file)) ?? SQLITE_OK
    }

    /// Reads from the disk what nothing in memory covers.
    private static func readBase(
        _ file: File, _ bytes: inout [UInt8], at offset: Int
    ) -> Int32 {
        guard let methods = unsafe methods(file) else { return SQLITE_OK }
        let count = Int32(bytes.count)
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe methods.xRead(inner(file), buffer.baseAddress, count, Int64(offset))
        }
        // What the file does not have is zero already.
        return code == Self.shortRead ? SQLITE_OK : code
    }

    /// Composed macros are not imported.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    private static func read(
        _ file: File, _ target: UnsafeMutableRawPointer, _ count: Int, _ offset: Int
    ) -> Int32 {
        guard let changes = unsafe changes(of: file) else { return SQLITE_MISUSE }
        let result = changes.read(count, at: offset) { bytes, place in
            unsafe readBase(file, &bytes, at: place)
        }
        guard case .success(let bytes) = result else { return SQLITE_IOERR | 1 << 8 }
        unsafe bytes.withUnsafeBytes { source in
            let all = unsafe UnsafeMutableRawBufferPointer(start: target, count: count)
            unsafe all.copyMemory(from: source)
        }
        return offset + count > changes.size ? shortRead : SQLITE_OK
    }

    private static func write(
        _ file: File, _ source: UnsafeRawPointer, _ count: Int, _ offset: Int
    ) -> Int32 {
        guard let changes = unsafe changes(of: file) else { return SQLITE_MISUSE }
        let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: source, count: count))
        let isDone = changes.write(bytes, at: offset) { bytes, place in
            unsafe readBase(file, &bytes, at: place)
        }
        return isDone ? SQLITE_OK : SQLITE_IOERR | 1 << 8
    }

    /// Version 1: without shared memory, which an exclusive connection does not need.
    private static let table: Table = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe table.initialize(to: sqlite3_io_methods())
        unsafe table.pointee.iVersion = 1
        unsafe table.pointee.xClose = { file in
            unsafe file.map { unsafe close($0) } ?? SQLITE_MISUSE
        }
        unsafe table.pointee.xRead = { file, target, count, offset in
            guard let file = unsafe file, let target = unsafe target else {
                return SQLITE_MISUSE
            }
            return unsafe read(file, target, Int(count), Int(offset))
        }
        unsafe table.pointee.xWrite = { file, source, count, offset in
            guard let file = unsafe file, let source = unsafe source else {
                return SQLITE_MISUSE
            }
            return unsafe write(file, source, Int(count), Int(offset))
        }
        unsafe table.pointee.xTruncate = { file, size in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            unsafe changes(of: file)?.truncate(to: Int(size))
            return SQLITE_OK
        }
        unsafe table.pointee.xSync = { _, _ in SQLITE_OK }
        unsafe table.pointee.xFileSize = { file, size in
            guard let file = unsafe file, let changes = unsafe changes(of: file) else {
                return SQLITE_MISUSE
            }
            unsafe size?.pointee = Int64(changes.size)
            return SQLITE_OK
        }
        // A lock for reading is all that the disk is asked for.
        unsafe table.pointee.xLock = { file, level in
            guard let file = unsafe file, level == SQLITE_LOCK_SHARED else { return SQLITE_OK }
            return unsafe methods(file)?.xLock(inner(file), level) ?? SQLITE_OK
        }
        unsafe table.pointee.xUnlock = { file, level in
            guard let file = unsafe file else { return SQLITE_OK }
            return unsafe methods(file)?.xUnlock(inner(file), level) ?? SQLITE_OK
        }
        unsafe table.pointee.xCheckReservedLock = { _, result in
            unsafe result?.pointee = 0
            return SQLITE_OK
        }
        unsafe table.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        unsafe table.pointee.xSectorSize = { _ in 4096 }
        unsafe table.pointee.xDeviceCharacteristics = { _ in 0 }
        return unsafe Table(pointer: UnsafePointer(table))
    }()

    /// Made once and never changed.
    @safe
    private struct Table: @unchecked Sendable {
        let pointer: UnsafePointer<sqlite3_io_methods>
    }
}
