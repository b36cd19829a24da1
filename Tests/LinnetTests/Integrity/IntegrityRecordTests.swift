import Glibc
import Testing

@testable import LinnetSystem

struct IntegrityRecordTests {
    private let directory = TemporaryDirectory()
    private let tree: SystemTree

    init() throws {
        tree = try SystemTree()
        try tree.write("program", "one")
        try tree.link("proc/self/exe", to: "\(tree.root)/program")
    }

    private var program: ProgramFile {
        get throws { try #require(tree.probe().program()) }
    }

    @Test func `a record is kept in the home as it was chosen`() throws {
        let home = try Home.open(at: directory.path)
        #expect(try home.integrityRecord() == IntegrityRecord())
        var record = IntegrityRecord()
        record.own = .block
        record.group = .ignore
        record.refusesWipes = true
        #expect(record.accept(try program))
        try home.keep(record)
        #expect(try home.integrityRecord() == record)
        let isLeft = home.directory.contains("integrity.new")
        let mode = try home.directory.status(of: "integrity").st_mode & 0o777
        #expect(!isLeft && mode == 0o600)
    }

    @Test func `the device's own policy counts before the group's, and log before none`() {
        var record = IntegrityRecord()
        #expect(record.policy == .log)
        record.group = .block
        #expect(record.policy == .block)
        record.own = .ignore
        #expect(record.policy == .ignore)
    }

    @Test func `every damage of the file is noticed, and the device warns`() throws {
        var record = IntegrityRecord()
        record.own = .ignore
        #expect(record.accept(try program))
        let bytes = record.encoded
        #expect(IntegrityRecord(bytes) == record)
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 1
            #expect(IntegrityRecord(damaged) == nil)
            #expect(IntegrityRecord(Array(bytes[..<place])) == nil)
        }
        directory.write("integrity", "nonsense")
        #expect(try Home.open(at: directory.path).integrityRecord().policy == .warn)
    }

    @Test func `a program is the same, changed or new, also where another file took its name`()
        throws
    {
        var record = IntegrityRecord()
        #expect(record.judge(try program, isThorough: false) == .new(path: try program.path))
        #expect(record.accept(try program))
        #expect(record.judge(try program, isThorough: true) == .same(path: try program.path))
        try tree.write("program", "two")
        #expect(record.judge(try program, isThorough: false) == .changed(path: try program.path))
        try tree.write("program", "one")
        #expect(record.judge(try program, isThorough: false) == .same(path: try program.path))
        try tree.remove("program")
        #expect(tree.probe().program() == nil)
    }

    @Test func `eight programs are remembered, and the ninth takes the place of the first`() throws
    {
        var record = IntegrityRecord()
        for number in 0...IntegrityRecord.mostPrograms {
            try tree.write("program\(number)", "\(number)")
            try tree.link("proc/self/exe", to: "\(tree.root)/program\(number)")
            #expect(record.accept(try program))
        }
        #expect(record.programs.count == IntegrityRecord.mostPrograms)
        #expect(record.judge(try program, isThorough: true) == .same(path: try program.path))
        try tree.link("proc/self/exe", to: "\(tree.root)/program0")
        #expect(record.judge(try program, isThorough: true) == .new(path: try program.path))
    }
}
