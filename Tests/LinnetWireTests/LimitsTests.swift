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
}
