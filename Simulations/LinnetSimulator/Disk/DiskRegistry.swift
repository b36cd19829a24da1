internal import Synchronization

/// The disks in use, found by the first word of a path.
enum DiskRegistry {
    // Each disk removes itself before it ends.
    @safe
    private struct Entry: @unchecked Sendable {
        let name: String
        let disk: Unmanaged<Disk>
        var number: UInt { unsafe UInt(bitPattern: disk.toOpaque()) }
    }

    private static let entries = Mutex<[Entry]>([])

    static func add(_ disk: Disk) {
        _ = unsafe DiskSystem.system
        let entry = unsafe Entry(name: disk.name, disk: .passUnretained(disk))
        entries.withLock { $0.append(entry) }
    }

    static func remove(_ disk: Disk) {
        let address = unsafe Unmanaged.passUnretained(disk).toOpaque()
        let number = UInt(bitPattern: address)
        entries.withLock { $0.removeAll { $0.number == number } }
    }

    /// The disk that a path is on and the file's name there; nil when it is on none.
    static func find(_ path: UnsafePointer<CChar>) -> (disk: Disk, file: String)? {
        let path = unsafe String(cString: path)
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isEmpty else { return nil }
        let words = parts[1].split(separator: "/", maxSplits: 1)
        guard words.count == 2 else { return nil }
        let name = String(words[0])
        let entry = entries.withLock { $0.last { $0.name == name } }
        return entry.map { (unsafe $0.disk.takeUnretainedValue(), String(words[1])) }
    }
}
