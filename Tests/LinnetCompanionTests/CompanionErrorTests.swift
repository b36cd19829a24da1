import Testing

@testable import LinnetCompanion

@Suite struct CompanionErrorTests {
    @Test func `the platform's errors have its numbers, and only they`() {
        #expect(CompanionError.sessionNotActivated.platformCode == 7_004)
        #expect(CompanionError.deviceNotPaired.platformCode == 7_005)
        #expect(CompanionError.watchAppNotInstalled.platformCode == 7_006)
        #expect(CompanionError.payloadTooLarge.platformCode == 7_009)
        #expect(CompanionError.messageReplyTimedOut.platformCode == 7_012)
        #expect(CompanionError.damagedJournal.platformCode == nil)
        for code in 7_001...7_019 {
            #expect(CompanionError(platformCode: code)?.platformCode == code)
        }
        for code in [7_000, 7_020, .min, .max] {
            #expect(CompanionError(platformCode: code) == nil)
        }
    }
}
