import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// The record by which a recovery key says that its phrase was drawn.
struct WarrantTests {
    private let founder = TestDevice(1)

    private func phrase(_ text: String) throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(copying: Array(text.utf8)))
    }

    /// A group whose recovery key is that of a phrase.
    private func log(_ phrase: RecoveryPhrase) throws -> MembershipLog {
        let first = TestDevice(10)
        var entropy = entropy(3)
        var log = try MembershipLog.founded(
            by: founder.keys, recovery: first.certificate, entropy: &entropy)
        let next = try GroupRecovery(log).newKeys(from: phrase, createdMilliseconds: 5)
        _ = try log.insert(
            try GroupRecovery(log).makeSuccessor(next.certificate, keys: first.keys))
        return log
    }

    @Test func `a drawn phrase has one warrant, which changes nothing else`() throws {
        let drawn = try phrase("volumes fabulous citric finicky fructose empathic shifty")
        var log = try log(drawn)
        let keys = try GroupRecovery(log).keys(from: drawn)
        #expect(!GroupRecovery(log).hasWarrant)
        let before = (log.state.members.map(\.device), log.state.recovery, log.state.upgradeNeeded)
        let made = try GroupRecovery(log).warrant(for: drawn, keys: keys, wallMilliseconds: 7)
        let warrant = try #require(made)
        #expect(WarrantPayload(warrant)?.wallMilliseconds == 7)
        _ = try log.insert(warrant)
        #expect(GroupRecovery(log).hasWarrant && GroupRecovery(log).hadWarrant)
        #expect(log.state.members.map(\.device) == before.0)
        #expect(log.state.recovery == before.1 && log.state.upgradeNeeded == before.2)
        let again = try GroupRecovery(log).warrant(for: drawn, keys: keys, wallMilliseconds: 8)
        #expect(again == nil)
        // It was for those words, and not for those that follow.
        let next = try GroupRecovery(log).newKeys(
            from: phrase("a sentence of my own"), createdMilliseconds: 6)
        _ = try log.insert(try GroupRecovery(log).makeSuccessor(next.certificate, keys: keys))
        #expect(!GroupRecovery(log).hasWarrant && GroupRecovery(log).hadWarrant)
    }

    @Test func `a chosen phrase and another key have none`() throws {
        let chosen = try phrase("a sentence of my own")
        let log = try log(chosen)
        let keys = try GroupRecovery(log).keys(from: chosen)
        let none = try GroupRecovery(log).warrant(for: chosen, keys: keys, wallMilliseconds: 7)
        #expect(none == nil)
        let drawn = try phrase("volumes fabulous citric finicky fructose empathic shifty")
        let other = try GroupRecovery(log).warrant(
            for: drawn, keys: founder.keys, wallMilliseconds: 7)
        #expect(other == nil)
    }

    @Test func `a payload comes back, and others mean nothing`() throws {
        #expect(
            WarrantPayload(wallMilliseconds: 1_800_000_000_000).encoded
                == [0x81, 0x1b, 0, 0, 1, 0xa3, 0x18, 0x5c, 0x50, 0])
        let log = try log(phrase("a sentence of my own"))
        #expect(log.records.allSatisfy { WarrantPayload($0) == nil })
    }
}
