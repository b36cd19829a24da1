#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Disk {
    /// Flips a bit in a database where these bytes are, or where 24 of them in a row are; false
    /// when they are in none, or in a log that is in use: its checksums would cut it off there.
    package func rot(_ bytes: [UInt8]) -> Bool {
        let run = min(24, bytes.count)
        guard run > 0 else { return false }
        let patterns =
            [bytes[...]]
            + stride(from: 0, through: bytes.count - run, by: run).map { bytes[$0..<$0 + run] }
        let logs = files.filter(\.isLog)
        for pattern in patterns {
            guard !logs.contains(where: { $0.find(pattern) != nil }) else { return false }
            for file in files where !file.isLog {
                guard let place = file.find(pattern) else { continue }
                file.flip(random.below(8), at: place + random.below(pattern.count))
                counters.rottenBits += 1
                return true
            }
        }
        return false
    }
}

extension DiskFile {
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    /// True when SQLite reads it in place of parts of the database.
    fileprivate var isLog: Bool { name.hasSuffix("-wal") || name.hasSuffix("-journal") }

    /// The first place of these bytes; in a log, among the frames in use.
    fileprivate func find(_ pattern: ArraySlice<UInt8>) -> Int? {
        let searched = name.hasSuffix("-wal") ? usedBytesOfLog : size
        return unsafe pattern.withUnsafeBytes { pattern in
            guard let wanted = pattern.baseAddress, let first = unsafe pattern.first else {
                return nil
            }
            var from = 0
            while from <= searched - pattern.count {
                let left = searched - pattern.count - from + 1
                guard let hit = unsafe memchr(content.base + from, Int32(first), left) else {
                    return nil
                }
                let place = unsafe content.base.distance(to: hit)
                if unsafe memcmp(hit, wanted, pattern.count) == 0 { return place }
                from = place + 1
            }
            return nil
        }
    }

    /// The frames that carry the salts of the log's header, up to the first that does not (the WAL
    /// format of SQLite): the others are left from before the log began anew.
    private var usedBytesOfLog: Int {
        let bytes = unsafe UnsafeRawBufferPointer(start: content.base, count: size)
        guard size >= Self.headerBytes else { return 0 }
        let pageBytes = unsafe bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let frameBytes = Self.frameHeaderBytes + pageBytes
        var end = Self.headerBytes
        while end + frameBytes <= size {
            let salts = unsafe bytes[end + 8..<end + 16]
            guard unsafe salts.elementsEqual(bytes[16..<24]) else { break }
            end += frameBytes
        }
        return end
    }

    fileprivate func flip(_ bit: Int, at index: Int) {
        let bytes = unsafe content.base.assumingMemoryBound(to: UInt8.self)
        unsafe bytes[index] ^= 1 << UInt8(bit)
    }
}
