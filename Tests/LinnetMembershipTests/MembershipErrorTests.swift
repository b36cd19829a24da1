import LinnetMembership
import LinnetWire
import Testing

struct MembershipErrorTests {
    @Test func `only errors that follow from bytes and ancestors are permanent`() {
        let permanent: [MembershipError] = [
            .malformed(.truncated), .recordTooLarge, .badCertificate, .badSignature, .wrongGroup,
            .notAGenesis, .badLamport, .notEntitled, .keyReused, .badEpochNumber,
            .badRecipients, .tooManyDevices, .tooManyRecords,
        ]
        let temporary: [MembershipError] = [
            .noRoom, .upgradeNeeded, .tooManyParked, .epochKeyMissing, .badEpoch, .codeExpired,
        ]
        #expect(permanent.allSatisfy { $0.isPermanent })
        #expect(!temporary.contains { $0.isPermanent })
    }
}
