import LinnetCrypto
import LinnetWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file `integrity` of a home: what its person chose that counts before there are keys, and the
/// programs that she accepted.
///
/// It is not encrypted, because it counts before there is a key. Whoever may write in the home can
/// change it, and could take the keys as well.
package struct IntegrityRecord: Equatable, Sendable {
    /// A program that was accepted.
    package struct Program: Equatable, Sendable {
        var path: Bytes16
        var hash: Bytes32
        var stamp: ProgramFile.Stamp
    }

    /// Bound on the programs that are remembered; the one that was accepted first goes first.
    package static let mostPrograms = 8
    private static let magic = Array("LNTINT1\n".utf8)
    private static let headerBytes = 8 + 4
    private static let programBytes = 16 + 32 + 4 * 8
    private static let checkBytes = 16
    private static let policies: [IntegrityPolicy?] = [nil, .block, .warn, .log, .ignore]

    /// The policy that a person chose for this home; nil for the group's.
    package var own: IntegrityPolicy?
    /// The policy that the group had when it was last known; nil when it had none.
    package var group: IntegrityPolicy?
    /// True when this device does not destroy itself at the word of others.
    package var refusesWipes = false
    /// The programs that were accepted, the latest last.
    package private(set) var programs: [Program] = []

    /// The policy that counts.
    package var policy: IntegrityPolicy { own ?? group ?? .log }

    /// A record in which nothing was chosen.
    package init() {}

    /// Reads a record; nil when its length, magic, values or check value are wrong.
    init?(_ bytes: [UInt8]) {
        let least = Self.headerBytes + Self.checkBytes
        guard bytes.count >= least, bytes.starts(with: Self.magic) else { return nil }
        let count = Int(bytes[11])
        guard count <= Self.mostPrograms, bytes.count == least + count * Self.programBytes,
            Int(bytes[8]) < Self.policies.count, Int(bytes[9]) < Self.policies.count,
            bytes[10] < 2
        else { return nil }
        let checked = Array(bytes.dropLast(Self.checkBytes))
        guard Self.checkValue(checked) == Array(bytes.suffix(Self.checkBytes)) else { return nil }
        own = Self.policies[Int(bytes[8])]
        group = Self.policies[Int(bytes[9])]
        refusesWipes = bytes[10] == 1
        for number in 0..<count {
            let start = Self.headerBytes + number * Self.programBytes
            guard let program = Program(bytes[start..<start + Self.programBytes]) else {
                return nil
            }
            programs.append(program)
        }
    }

    var encoded: [UInt8] {
        let places = [own, group].map { policy in
            UInt8(Self.policies.firstIndex { $0 == policy } ?? 0)
        }
        var bytes = Self.magic + places + [refusesWipes ? 1 : 0, UInt8(programs.count)]
        for program in programs { bytes += program.encoded }
        return bytes + Self.checkValue(bytes)
    }

    /// Remembers a program in place of an older one at its path; false when it cannot be read.
    package mutating func accept(_ program: ProgramFile) -> Bool {
        guard let hash = program.hashed() else { return false }
        programs.removeAll { $0.path == program.pathHash }
        programs.append(Program(path: program.pathHash, hash: hash, stamp: program.stamp))
        programs = programs.suffix(Self.mostPrograms)
        return true
    }

    /// Compares a program with what is remembered; nil when it cannot be read. A file that nobody
    /// touched is not read again, unless `isThorough`.
    package func judge(
        _ program: ProgramFile, isThorough: Bool
    ) -> IntegrityFacts.Program? {
        guard let known = programs.first(where: { $0.path == program.pathHash }) else {
            return .new(path: program.path)
        }
        if known.stamp == program.stamp && !isThorough { return .same(path: program.path) }
        guard let hash = program.hashed() else { return nil }
        return hash == known.hash ? .same(path: program.path) : .changed(path: program.path)
    }

    private static func checkValue(_ bytes: [UInt8]) -> [UInt8] {
        Hash.blake2b(.check, Array("integrity".utf8), bytes, count: checkBytes)
    }
}

extension IntegrityRecord.Program {
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard let path = Bytes16(Array(bytes[..<16])), let hash = Bytes32(Array(bytes[16..<48]))
        else { return nil }
        let numbers = (0..<4).map { number in
            bytes[48 + number * 8..<56 + number * 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        self.path = path
        self.hash = hash
        stamp = ProgramFile.Stamp(
            device: numbers[0], inode: numbers[1], size: numbers[2], changed: numbers[3])
    }

    fileprivate var encoded: [UInt8] {
        let numbers = [stamp.device, stamp.inode, stamp.size, stamp.changed]
        return path.array + hash.array
            + numbers.flatMap { number in
                (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            }
    }
}

extension Home {
    /// The limit for reading, in bytes; no record is as large.
    private static var recordLimitBytes: Int { 4096 }

    /// Reads what is kept of the policy; an empty record where nothing is, and a policy of
    /// ``IntegrityPolicy/warn`` where it is damaged.
    package func integrityRecord() throws(HomeError) -> IntegrityRecord {
        let name = File.integrity.rawValue
        guard directory.contains(name) else { return IntegrityRecord() }
        let file = try directory.file(name, O_RDONLY | O_NONBLOCK)
        if let record = IntegrityRecord(try file.read(upTo: Self.recordLimitBytes)) {
            return record
        }
        var record = IntegrityRecord()
        record.own = .warn
        return record
    }

    /// Replaces what is kept of the policy, durably.
    package func keep(_ record: IntegrityRecord) throws(HomeError) {
        let temporary = Leftover.integrity.rawValue
        try directory.remove(temporary)
        let file = try directory.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
        try file.write(record.encoded)
        try file.synchronize()
        try directory.rename(temporary, to: File.integrity.rawValue)
        try directory.synchronize()
    }
}
