internal import CSQLite

/// An open file as SQLite holds it: the methods first, then ours.
@unsafe
struct OpenDiskFile {
    private var base: sqlite3_file
    private let content: Unmanaged<DiskFile>
    private let disk: Unmanaged<Disk>?
    private let generation: Int
    private let isTransient: Bool
    private var level = SQLITE_LOCK_NONE
    private var memory: Unmanaged<SharedMemory>?
    private var sharedLocks: UInt16 = 0
    private var exclusiveLocks: UInt16 = 0

    /// The bytes that SQLite is to allocate for one.
    static let bytes = unsafe Int32(MemoryLayout<OpenDiskFile>.stride)

    typealias File = UnsafeMutablePointer<sqlite3_file>

    private init(_ content: DiskFile, on disk: Disk?, isTransient: Bool) {
        unsafe base = unsafe sqlite3_file(pMethods: DiskMethods.table)
        unsafe self.content = .passRetained(content)
        unsafe self.disk = disk.map { unsafe .passRetained($0) }
        unsafe generation = disk?.generation ?? 0
        unsafe self.isTransient = isTransient
    }

    /// Opens a file in the memory that SQLite gave for it.
    static func start(
        _ file: File, _ content: DiskFile, on disk: Disk?, isTransient: Bool = false
    ) {
        unsafe UnsafeMutableRawPointer(file).initializeMemory(
            as: OpenDiskFile.self, to: OpenDiskFile(content, on: disk, isTransient: isTransient))
    }

    /// Ours of what SQLite holds.
    static func of(_ file: File) -> UnsafeMutablePointer<OpenDiskFile> {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenDiskFile.self)
    }

    private var file: DiskFile { unsafe content.takeUnretainedValue() }

    /// True when it was opened before the last failure: each call on it fails.
    private var isStale: Bool {
        unsafe disk.map { unsafe $0.takeUnretainedValue().generation != generation } ?? false
    }

    mutating func close() {
        if unsafe !isStale {
            unsafe memory?.takeUnretainedValue().releaseAll(
                shared: &sharedLocks, exclusive: &exclusiveLocks)
            unsafe file.locks.lower(from: level, to: SQLITE_LOCK_NONE)
            if unsafe isTransient {
                _ = unsafe disk?.takeUnretainedValue().delete(file.name, syncsDirectory: false)
            }
        }
        unsafe memory?.release()
        unsafe content.release()
        unsafe disk?.release()
    }

    // MARK: Bytes

    func read(_ target: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
        guard let target = unsafe target, unsafe !isStale else { return SQLITE_IOERR }
        guard let disk = unsafe disk?.takeUnretainedValue() else {
            let present = unsafe file.read(into: target, Int(count), at: Int(offset))
            return present == Int(count) ? SQLITE_OK : DiskCode.shortRead
        }
        return unsafe disk.reads(file, into: target, Int(count), at: Int(offset))
    }

    func write(_ source: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
        guard let source = unsafe source, unsafe !isStale else { return SQLITE_IOERR }
        guard let disk = unsafe disk?.takeUnretainedValue() else {
            unsafe file.write(source, Int(count), at: Int(offset))
            unsafe file.sync()
            return SQLITE_OK
        }
        return unsafe disk.writes(file, source, Int(count), at: Int(offset))
    }

    func truncate(_ size: Int64) -> Int32 {
        guard unsafe !isStale else { return SQLITE_IOERR }
        guard let disk = unsafe disk?.takeUnretainedValue() else {
            unsafe file.truncate(to: Int(size))
            return SQLITE_OK
        }
        return unsafe disk.truncates(file, to: Int(size))
    }

    func sync() -> Int32 {
        guard unsafe !isStale else { return SQLITE_IOERR }
        return unsafe disk?.takeUnretainedValue().syncs(file) ?? SQLITE_OK
    }

    func size(_ answer: UnsafeMutablePointer<Int64>?) -> Int32 {
        guard unsafe !isStale else { return SQLITE_IOERR }
        unsafe answer?.pointee = Int64(file.size)
        return SQLITE_OK
    }

    /// The promises of the disk: nothing, or that it spares neighbours.
    var characteristics: Int32 {
        let spares = unsafe disk?.takeUnretainedValue().sparesNeighbours ?? true
        return spares ? SQLITE_IOCAP_POWERSAFE_OVERWRITE : 0
    }

    // MARK: Locks

    mutating func lock(_ wanted: Int32) -> Int32 {
        guard unsafe !isStale else { return SQLITE_IOERR }
        guard unsafe wanted > level else { return SQLITE_OK }
        unsafe level = unsafe file.locks.raise(from: level, to: wanted)
        return unsafe level == wanted ? SQLITE_OK : SQLITE_BUSY
    }

    mutating func unlock(_ wanted: Int32) -> Int32 {
        guard unsafe !isStale, unsafe wanted < level else { return SQLITE_OK }
        unsafe file.locks.lower(from: level, to: wanted)
        unsafe level = wanted
        return SQLITE_OK
    }

    func checkReserved(_ answer: UnsafeMutablePointer<Int32>?) -> Int32 {
        guard unsafe !isStale else { return SQLITE_IOERR }
        unsafe answer?.pointee = file.locks.isReserved ? 1 : 0
        return SQLITE_OK
    }

    // MARK: Shared memory

    mutating func map(
        _ index: Int32, _ bytes: Int32, _ extends: Bool,
        _ answer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 {
        guard unsafe !isStale else { return SQLITE_IOERR }
        let shared = unsafe memory?.takeUnretainedValue() ?? attach()
        unsafe answer?.pointee = unsafe shared.region(
            Int(index), bytes: Int(bytes), extends: extends)
        return SQLITE_OK
    }

    private mutating func attach() -> SharedMemory {
        let shared = unsafe file.memory ?? SharedMemory()
        unsafe file.memory = shared
        unsafe memory = .passRetained(shared)
        return shared
    }

    mutating func lockMemory(_ first: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
        guard unsafe !isStale, let shared = unsafe memory?.takeUnretainedValue() else {
            return SQLITE_IOERR
        }
        let isDone = unsafe shared.change(
            Int(first)..<Int(first + count), flags, shared: &sharedLocks,
            exclusive: &exclusiveLocks)
        return isDone ? SQLITE_OK : SQLITE_BUSY
    }

    /// Leaves the shared memory; the last one may delete it.
    mutating func unmap(deletes: Bool) {
        guard let shared = unsafe memory else { return }
        if unsafe !isStale {
            unsafe shared.takeUnretainedValue().releaseAll(
                shared: &sharedLocks, exclusive: &exclusiveLocks)
            if deletes { unsafe file.memory = nil }
        }
        unsafe shared.release()
        unsafe memory = nil
    }
}
