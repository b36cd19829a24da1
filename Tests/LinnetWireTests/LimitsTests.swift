import Foundation
import LinnetWire
import Testing

@Suite struct LimitsTests {
    @Test func `limits that depend on each other agree`() {
        let perFragment = Limits.fragmentBytes - 2
        #expect(Limits.messageBytes <= Limits.fragmentsPerMessage * perFragment)
        #expect(Limits.messageBytes > (Limits.fragmentsPerMessage - 1) * perFragment)
        #expect(Padding.padme(Limits.batchPlaintextBytes) == Limits.batchPlaintextBytes)
        #expect(Padding.padme(Limits.commitBatchBytes + 6) <= Limits.batchPlaintextBytes)
        #expect(Limits.batchCiphertextBytes < Limits.messageBytes)
        #expect(Limits.valueBytes + Limits.recordIDBytes + 64 < Limits.commitBatchBytes)
        #expect(Limits.stampCeilingMilliseconds << 16 == .min)
        #expect(Limits.pingMilliseconds * 2 < Limits.idleCloseMilliseconds)
    }

    @Test func `the page of the protocol gives the limits as they are`() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../docs/protocol.md"), encoding: .utf8)
        let seconds = { (milliseconds: Int64) in "\(milliseconds / 1_000) s" }
        let rows = [
            "\(seconds(Limits.handshakeMessageMilliseconds)) after the one before; whole "
                + "handshake \(seconds(Limits.handshakeMilliseconds)); "
                + "authorising \(seconds(Limits.authorisationMilliseconds))",
            "\(Limits.unauthenticatedLinks), \(Limits.unauthenticatedLinksPerSource) from one",
            "\(Limits.handshakesPerSecondPerSource) a second, "
                + "\(Limits.handshakeBurstPerSource) at once; then "
                + "\(seconds(Limits.handshakeSilenceMilliseconds)) of silence",
            "| \(Limits.pskTrials); the newest epoch and",
            "65,535 bytes, 1 MiB, \(Limits.fragmentsPerMessage) |",
            "ping after \(seconds(Limits.pingMilliseconds)), "
                + "end after \(seconds(Limits.idleCloseMilliseconds))",
            "256 bytes, \(Limits.discoveryInstances), "
                + "\(Limits.discoveryInstancesPerMinute) a minute",
            "| 32 KiB, 4,096, 16,384, \(Limits.devices) |",
            "depth \(Limits.cborDepth), 65,536 items",
            "\(Limits.cborMapKeys) map keys",
            "\(Limits.recordIDBytes) bytes; 64 KiB and depth \(Limits.valueDepth)",
            "| \(Limits.sessionLifetimeMilliseconds / 3_600_000) h |",
        ]
        for row in rows { #expect(page.contains(row), "\(row)") }
        #expect(Limits.earlierEpochs == 8 && page.contains("newest epoch and eight before it"))
        #expect(Limits.cborItems == 65_536 && Limits.cborStringBytes == 64 << 10)
        #expect(Limits.memberRecordsHeld == 16_384 && page.contains("16,384"))
        #expect(Limits.memberLandmarks == 32 && page.contains("at most 32 others"))
        #expect(Limits.memberHeads == 16_384 && Limits.memberGetRecords == 16_384)
        #expect(Limits.memberRecords == 4_096 && Limits.memberRecordBytes == 32 << 10)
        #expect(Limits.pendingBatchesPerChain == 1_024 && Limits.pendingBytesPerChain == 32 << 20)
        #expect(Limits.pendingBytes == 64 << 20)
        #expect(page.contains("| 1,024 or 32 MiB a chain, 64 MiB in all;"))
    }
}
