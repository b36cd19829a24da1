import LinnetSystem
import Testing

struct IntegrityProbeTests {
    private let tree: SystemTree

    init() throws { tree = try SystemTree() }

    @Test func `the process that follows the program is named, or said to be not known`() throws {
        #expect(tree.probe().tracer() == 0)
        try tree.write("proc/self/status", "TracerPid:\t4711\n")
        #expect(tree.probe().tracer() == 4711)
        try tree.write("proc/self/status", "Name:\tlinnet\n")
        #expect(tree.probe().tracer() == nil)
        try tree.remove("proc/self/status")
        #expect(tree.probe().tracer() == nil)
    }

    @Test func `libraries are found in the variables and in the file of the loader`() throws {
        #expect(tree.probe().preloads() == [])
        #expect(tree.probe(["LD_PRELOAD": "/a.so:/b.so /c.so"]).preloads()?.count == 3)
        #expect(tree.probe(["LD_AUDIT": "/d.so"]).preloads() == ["/d.so"])
        try tree.write("etc/ld.so.preload", "# none\n/e.so # one\n")
        #expect(tree.probe().preloads() == ["/e.so"])
        // A directory in the file's place cannot be read, and is no good news.
        try tree.remove("etc/ld.so.preload")
        try tree.write("etc/ld.so.preload/x", "")
        #expect(tree.probe().preloads() == nil)
    }

    @Test func `swap space is plain, encrypted or not known, and compressed memory is none`()
        throws
    {
        #expect(tree.probe().swaps() == [])
        try tree.device("sda2", "8:2")
        try tree.device("dm-1", "254:1", uuid: "CRYPT-PLAIN-swap")
        try tree.write(
            "proc/swaps",
            "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n"
                + "/dev/dm-1 partition 1 0 -3\n/dev/zram0 partition 1 0 100\n"
                + "/dev/gone partition 1 0 -4\nodd\n")
        let swaps = try #require(tree.probe().swaps())
        #expect(swaps.map(\.path) == ["/dev/sda2", "/dev/dm-1", "/dev/gone", "odd"])
        #expect(swaps[0].disk == .plain && swaps[1].disk == .encrypted)
        #expect(swaps[2].disk != .plain && swaps[2].disk != .encrypted)
        try tree.remove("proc/swaps")
        #expect(tree.probe().swaps() == nil)
    }

    @Test func `a disk is known by its number, and one without a disk of its own is not known`()
        throws
    {
        try tree.device("sda1", "8:1")
        #expect(tree.probe().disk(number: 0x801) == .plain)
        #expect(tree.probe().disk(number: 0x802) != .plain)
        guard case .unknown = tree.probe().disk(number: 0x15) else {
            Issue.record("a file system in memory has no disk")
            return
        }
        guard case .unknown = tree.probe().disk(of: "/no/such/home") else {
            Issue.record("a home that is not there has no disk")
            return
        }
    }

    @Test func `facts of a tree without anything are not known, none of them good`() throws {
        try tree.remove("proc/self/status")
        try tree.remove("proc/swaps")
        let facts = tree.probe().facts(home: "/no/such/home", userID: 1000)
        #expect(facts.tracer == nil && facts.swaps == nil)
        let good = facts.findings.filter { $0.state == .good }.map(\.check)
        #expect(!good.contains(.debugger) && !good.contains(.swap) && !good.contains(.disk))
        #expect(!good.contains(.clock) && !good.contains(.program))
    }

    @Test func `core files are on in this process exactly while its limit allows them`() throws {
        let before = try #require(IntegrityProbe.cores())
        #expect(before.isDumpable)
        try CoreLimit.with(0) {
            #expect(IntegrityProbe.cores()?.areAllowed == false)
        }
        try CoreLimit.with(4096) {
            #expect(IntegrityProbe.cores()?.areAllowed == true)
        }
    }
}
