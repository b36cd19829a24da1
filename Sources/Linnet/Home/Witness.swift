import LinnetCrypto
package import LinnetReplication
package import LinnetSystem
import LinnetWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The witness file: the place of the database and the progress of its author, when it last spoke.
///
/// A database that was copied, restored or moved would give new batches numbers that another one
/// has given already. The witness, which is not part of the database, shows that before the first
/// write. Two times that no program can set show that files were copied over those of the home in
/// place: the birth of the witness itself, which every opening renews, and the last change of the
/// key file.
package struct Witness: ~Copyable {
    private let home: Home
    private var file: OpenFile?
    private var place: Place?

    /// Takes the witness of `home`.
    package init(_ home: Home) {
        self.home = home
    }

    /// Compares the witness file with the database file as it is now, which must exist.
    package borrowing func compare() throws(HomeError) -> WitnessState {
        guard home.directory.contains(Home.File.witness.rawValue) else { return .missing }
        let file = try home.directory.file(Home.File.witness.rawValue, O_RDONLY | O_NONBLOCK)
        guard let record = Record(try file.read(upTo: Record.sizeBytes + 1)) else {
            return .mismatch("the witness file is damaged")
        }
        let now = try currentPlace(born: file.birthNanoseconds())
        if record.place.machine != now.machine {
            return .mismatch("the home is on another machine")
        }
        if record.place.device != now.device || record.place.inode != now.inode {
            return .mismatch("the database file is another file")
        }
        if record.place != now { return .mismatch("files of the home were put back or changed") }
        return .intact(record.mark)
    }

    /// Runs `body`, which replaces the key file; a witness that was good before is good afterwards.
    package mutating func keepingGood<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = try? compare()
        defer {
            if case .intact(let mark)? = before {
                file = nil
                place = nil
                // Without a witness the next opening starts a new incarnation, which harms nothing.
                try? remember(mark)
            }
        }
        return try body()
    }

    /// Notes how far an author has come.
    ///
    /// The first call makes the file anew, durably. Later ones write in place without a sync: a
    /// crash of the process keeps what was written, and after a power cut an older witness beside a
    /// newer database is harmless, because the database was synced before anything was sent.
    package mutating func remember(_ mark: WitnessMark) throws(HomeError) {
        guard let place else { return file = try makeFile(mark) }
        try file?.write(Record(place: place, mark: mark).encoded)
    }

    private mutating func makeFile(_ mark: WitnessMark) throws(HomeError) -> OpenFile {
        let temporary = Home.Leftover.witness.rawValue
        try home.directory.remove(temporary)
        let made = try home.directory.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
        let now = try currentPlace(born: made.birthNanoseconds())
        try made.write(Record(place: now, mark: mark).encoded)
        try made.synchronize()
        try home.directory.rename(temporary, to: Home.File.witness.rawValue)
        try home.directory.synchronize()
        place = now
        return made
    }

    private borrowing func currentPlace(born: UInt64) throws(HomeError) -> Place {
        let database = try home.directory.status(of: Home.File.database.rawValue)
        let key = try? home.directory.status(of: Home.File.key.rawValue)
        return Place(
            machine: MachineID.hashed(), device: UInt64(truncatingIfNeeded: database.st_dev),
            inode: UInt64(truncatingIfNeeded: database.st_ino), born: born,
            keyChanged: key?.changeNanoseconds ?? 0)
    }

    /// The place of a database: its machine and its file.
    struct Place: Equatable {
        var machine: Bytes32
        var device: UInt64
        var inode: UInt64
        /// The time at which the witness file was made, in nanoseconds since 1970; 0 where it is
        /// not known.
        var born: UInt64
        /// The time at which the key file last changed, in nanoseconds since 1970; 0 without one.
        var keyChanged: UInt64
    }

    /// The content of the witness file, of fixed size: magic, place, mark, check value.
    struct Record: Equatable {
        static let magic = Array("LNTWIT2\n".utf8)
        static let checkedBytes = 8 + 32 + 4 * 8 + 8 + 8
        static let sizeBytes = checkedBytes + 16

        var place: Place
        var mark: WitnessMark

        init(place: Place, mark: WitnessMark) {
            self.place = place
            self.mark = mark
        }

        /// Reads a record; nil when its length, magic or check value is wrong.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.sizeBytes, bytes.starts(with: Self.magic) else { return nil }
            let checked = Array(bytes[..<Self.checkedBytes])
            guard Self.checkValue(checked) == Array(bytes[Self.checkedBytes...]),
                let machine = Bytes32(Array(bytes[8..<40])),
                let incarnation = Incarnation(Array(bytes[72..<80]))
            else { return nil }
            place = Place(
                machine: machine, device: Self.integer(bytes[40..<48]),
                inode: Self.integer(bytes[48..<56]), born: Self.integer(bytes[56..<64]),
                keyChanged: Self.integer(bytes[64..<72]))
            mark = WitnessMark(
                incarnation: incarnation, highestSent: Self.integer(bytes[80..<88]))
        }

        var encoded: [UInt8] {
            var bytes = Self.magic + place.machine.array
            for number in [place.device, place.inode, place.born, place.keyChanged] {
                bytes += Self.bytes(number)
            }
            bytes += mark.incarnation.array + Self.bytes(mark.highestSent)
            return bytes + Self.checkValue(bytes)
        }

        private static func checkValue(_ bytes: [UInt8]) -> [UInt8] {
            Hash.blake2b(.check, Array("witness".utf8), bytes, count: 16)
        }

        private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }

        private static func bytes(_ value: UInt64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        }
    }
}
