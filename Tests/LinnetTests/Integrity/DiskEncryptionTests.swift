import LinnetSystem
import Testing

struct DiskEncryptionTests {
    private let tree: SystemTree

    init() throws { tree = try SystemTree() }

    /// The judgement of device 8:1.
    private func judged() -> DiskEncryption { tree.probe().disk(number: 0x801) }

    @Test func `a mapped device is encrypted when its name says so, and else what is below it`()
        throws
    {
        try tree.device("dm-0", "8:1", uuid: "CRYPT-LUKS2-abc-root")
        #expect(judged() == .encrypted)
    }

    @Test func `volumes are as safe as the least safe disk below them`() throws {
        try tree.device("sdb1", "8:17")
        try tree.device("dm-1", "254:1", uuid: "CRYPT-LUKS2-abc")
        try tree.device("dm-0", "8:1", uuid: "LVM-abc", above: ["dm-1"])
        #expect(judged() == .encrypted)
        try tree.device("dm-0", "8:1", uuid: "LVM-abc", above: ["dm-1", "sdb1"])
        #expect(judged() == .plain)
    }

    @Test func `a device in a file, and one that leads nowhere, are not known`() throws {
        try tree.device("loop0", "8:1")
        try tree.write("sys/dev/block/8:1/loop/backing_file", "/x\n")
        guard case .unknown = judged() else {
            Issue.record("a device in a file is not known")
            return
        }
    }

    @Test func `layers without end are not followed for ever`() throws {
        try tree.device("dm-0", "8:1", uuid: "LVM-a", above: ["dm-0"])
        guard case .unknown = judged() else {
            Issue.record("a device above itself is not known")
            return
        }
    }
}
