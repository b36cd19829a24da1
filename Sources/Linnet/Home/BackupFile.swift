import LinnetCrypto
import LinnetMembership
import LinnetWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The form of a backup: a head, the key file, the database, a check value.
///
/// The head has 64 bytes, integers big endian: magic "LNTBKUP\n", version u32 (1), size of the key
/// file u32, size of the database u64, Unix milliseconds of its making u64, 32 bytes zero. The
/// check value is BLAKE2b-256 over its label, "backup" and everything before it.
struct BackupFile {
    static let magic = Array("LNTBKUP\n".utf8)
    static let version: UInt32 = 1
    static let headBytes = 64
    static let checkBytes = 32
    static let chunkBytes = 1 << 20
    /// The bytes that are written between two syncs: with a single one at the end, nobody could
    /// tell how long that takes.
    static let syncedBytes = 32 << 20

    /// The fields of the head.
    struct Head: Equatable {
        var keyBytes: Int
        var databaseBytes: Int
        var createdMilliseconds: Int64

        /// The size of the whole file, in bytes.
        var totalBytes: Int { headBytes + keyBytes + databaseBytes + checkBytes }

        var encoded: [UInt8] {
            var bytes = magic
            BigEndian.append(version, to: &bytes)
            BigEndian.append(UInt32(truncatingIfNeeded: keyBytes), to: &bytes)
            BigEndian.append(UInt64(truncatingIfNeeded: databaseBytes), to: &bytes)
            BigEndian.append(UInt64(bitPattern: createdMilliseconds), to: &bytes)
            return bytes + [UInt8](repeating: 0, count: headBytes - bytes.count)
        }

        init(keyBytes: Int, databaseBytes: Int, createdMilliseconds: Int64) {
            self.keyBytes = keyBytes
            self.databaseBytes = databaseBytes
            self.createdMilliseconds = createdMilliseconds
        }

        /// Reads the head of a file of `size` bytes.
        init(_ bytes: [UInt8], size: Int) throws(LinnetError) {
            guard bytes.count >= magic.count, bytes.starts(with: magic) else {
                throw .restore("the file is not a Linnet backup")
            }
            guard bytes.count == headBytes else { throw .restore("the file is cut short") }
            let found = Self.number(bytes[8..<12])
            guard found == UInt64(version) else {
                throw .restore("a newer version of Linnet made it: upgrade this one")
            }
            guard let database = Int(exactly: Self.number(bytes[16..<24])),
                database <= Int.max >> 1
            else { throw .restore("the file is damaged") }
            keyBytes = Int(Self.number(bytes[12..<16]))
            databaseBytes = database
            createdMilliseconds = Int64(bitPattern: Self.number(bytes[24..<32]))
            guard keyBytes == KeyFile.byteCount, totalBytes >= size else {
                throw .restore("the file is damaged")
            }
            guard totalBytes == size else { throw .restore("the file is cut short") }
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Begins the check value.
    static func hasher() -> BLAKE2bHasher {
        var hasher = BLAKE2bHasher()
        hasher.update(Array((Label.check.rawValue + "backup").utf8))
        return hasher
    }
}
