import Glibc
import Linnet
import LinnetReplication
import LinnetWire
import Testing

struct WitnessTests {
    let directory = TemporaryDirectory()
    let home: Home
    let incarnation = Incarnation(repeating: 7)

    init() throws {
        home = try Home.open(at: directory.path)
        directory.write("store.sqlite", "database")
    }

    private func mark(_ count: UInt64) -> WitnessMark {
        WitnessMark(incarnation: incarnation, highestSent: count)
    }

    private func compare() throws -> WitnessState {
        let witness = Witness(home)
        return try witness.compare()
    }

    @Test func `what was remembered last is read back`() throws {
        var witness = Witness(home)
        #expect(try compare() == .missing)
        for count in [1, 2, 300] as [UInt64] {
            try witness.remember(mark(count))
            #expect(try compare() == .intact(mark(count)))
        }
        var later = Witness(home)
        let other = WitnessMark(incarnation: Incarnation(repeating: 8), highestSent: .max)
        try later.remember(other)
        #expect(try compare() == .intact(other))
    }

    @Test func `a copied database is noticed`() throws {
        var witness = Witness(home)
        try witness.remember(mark(5))
        directory.write("copy", "database")
        unsafe rename("\(directory.path)/copy", home.path(of: .database))
        #expect(try compare() == .mismatch("the database file is another file"))
    }

    @Test func `every flipped bit of the file is noticed`() throws {
        var witness = Witness(home)
        try witness.remember(mark(5))
        let good = directory.read("witness")
        for bit in 0..<(good.count * 8) {
            var bad = good
            bad[bit / 8] ^= 1 << (bit % 8)
            try overwrite(bad)
            #expect(try compare() == .mismatch("the witness file is damaged"))
        }
        try overwrite(good)
        #expect(try compare() == .intact(mark(5)))
    }

    @Test(arguments: [0, 1, 103, 105])
    func `a witness of another length is damaged`(count: Int) throws {
        try overwrite([UInt8](repeating: 0, count: count))
        #expect(try compare() == .mismatch("the witness file is damaged"))
    }

    @Test func `a witness that was put back in place is noticed by its birth`() throws {
        var witness = Witness(home)
        try witness.remember(mark(5))
        let old = directory.read("witness")
        // The next opening makes the file anew; then an older copy is written over it. The file
        // system's clock may tick more slowly than files are made.
        var state = WitnessState.intact(mark(5))
        for _ in 0..<10_000 where state == .intact(mark(5)) {
            var later = Witness(home)
            try later.remember(mark(9))
            #expect(try compare() == .intact(mark(9)))
            try overwrite(old)
            state = try compare()
        }
        #expect(state == .mismatch("files of the home were put back or changed"))
    }

    @Test func `a key file that was put back is noticed, one that we replace is not`() throws {
        directory.write("key", "one")
        var witness = Witness(home)
        try witness.remember(mark(5))
        witness.keepingGood { directory.write("key", "two") }
        #expect(try compare() == .intact(mark(5)))
        try witness.remember(mark(6))
        #expect(try compare() == .intact(mark(6)))
        directory.write("key", "one")
        #expect(try compare() == .mismatch("files of the home were put back or changed"))
        witness.keepingGood { directory.write("key", "two") }
        #expect(try compare() != .intact(mark(6)))
    }

    @Test func `without a database there is nothing to remember`() throws {
        unsafe unlink(home.path(of: .database))
        var witness = Witness(home)
        #expect(throws: HomeError.self) {
            try witness.remember(mark(1))
        }
        #expect(try compare() == .missing)
    }

    private func overwrite(_ bytes: [UInt8]) throws {
        let descriptor = unsafe open(home.path(of: .witness), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        #expect(descriptor >= 0)
        unsafe _ = pwrite(descriptor, bytes, bytes.count, 0)
        close(descriptor)
    }
}
