import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// The phrase from which a recovery key is derived, and the records that the key signs.
struct RecoveryPhraseTests {
    private func phrase(_ text: String) throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(copying: Array(text.utf8)))
    }

    @Test func `the example of the page gives its keys, however the words are typed`() throws {
        let salt = Array(
            Hash.blake2b(.recovery, [UInt8](repeating: 0x55, count: 32)).prefix(16))
        #expect(Hex.encode(salt) == "0a83fabb3207690ff34b3590f41125db")
        for text in [
            "volumes fabulous citric finicky fructose empathic shifty",
            " Volumes-fabulous\tcitric  finicky - fructose\r\nempathic shifty\n",
        ] {
            let keys = try DeviceKeys(
                recovering: phrase(text), salt: salt, createdMilliseconds: 7)
            let certificate = keys.certificate
            #expect(
                certificate.device.description
                    == "80a28e70f5088700224cec4b5d0893ff76b2740df9a0ec0a38e153ef05625d21")
            #expect(
                Hex.encode(certificate.noiseKey.array)
                    == "10e7f52104870765e1d44e337d707b742949a929988e4b05420f979f653ee861")
            #expect(
                Hex.encode(certificate.sealKey.array)
                    == "27dae3b731275dcef213e2bef255f8912327c857b0d8baf7faf1bc8268a03e39")
        }
    }

    @Test func `other gaps and letters beyond ASCII stay as they were typed`() throws {
        let bytes = try phrase("\u{c4}pfel_und  Birnen").secret.bytes.exposed()
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{c4}pfel_und birnen")
    }

    @Test func `seven words are drawn from the list, each time others`() throws {
        var entropy = entropy(9)
        let all = OrderedSet(RecoveryWords.all.map(String.init))
        let (first, second) = (
            try RecoveryPhrase.drawn(&entropy), try RecoveryPhrase.drawn(&entropy)
        )
        #expect(first.words.count == RecoveryPhrase.wordCount && first.words != second.words)
        #expect((first.words + second.words).allSatisfy(all.contains))
        #expect(
            String(decoding: first.phrase.secret.bytes.exposed(), as: UTF8.self)
                == first.words.joined(separator: " ").split(separator: "-").joined(separator: " "))
    }

    @Test func `only seven words of the list count as drawn`() throws {
        var entropy = entropy(31)
        for _ in 0..<20 { #expect(try RecoveryPhrase.drawn(&entropy).phrase.isDrawn) }
        let words = "volumes Fabulous-citric finicky fructose empathic shifty"
        #expect(try phrase(words).isDrawn)
        // Four words of the list have a hyphen, which counts as a gap.
        #expect(try phrase("yo-yo t-shirt drop-down felt-tip abacus abide able").isDrawn)
        for other in [
            words + " able", "volumes fabulous citric finicky fructose empathic",
            "volumes fabulous citric finicky fructose empathic shiftyy", "a sentence of my own",
            "yo volumes fabulous citric finicky fructose empathic",
            "seven little words of my own head",
        ] {
            #expect(try !phrase(other).isDrawn, "\(other)")
        }
    }

    @Test func `of two successors of one recovery key the one that devices heard of first stands`()
        throws
    {
        let (founder, other) = (TestDevice(1), TestDevice(2))
        let (old, new, stolen) = (TestDevice(10), TestDevice(11), TestDevice(12))
        var entropy = entropy(3)
        var log = try MembershipLog.founded(
            by: founder.keys, recovery: old.certificate, entropy: &entropy)
        try log.insertAll(founder.add(other, to: log))
        let before = log
        let named = try GroupRecovery(log).makeSuccessor(new.certificate, keys: old.keys)
        try log.insertAll(named)
        for device in [founder, other] {
            while let record = Duties(log).vote(of: device.device) {
                try log.insertAll(log.makeVote(isFor: true, record, keys: device.keys))
            }
        }
        let late = try GroupRecovery(before).makeSuccessor(stolen.certificate, keys: old.keys)
        try log.insertAll(late)
        #expect(log.state.recovery == new.certificate)
        #expect(GroupRecovery(log).record?.id == named.id)
        #expect([founder, other].allSatisfy { Duties(log).vote(of: $0.device) == nil })
        #expect(throws: MembershipError.noRecoveryKey) {
            try GroupRecovery(log).makeSuccessor(TestDevice(13).certificate, keys: old.keys)
        }
        #expect(throws: MembershipError.keyReused) {
            try GroupRecovery(log).makeSuccessor(founder.certificate, keys: new.keys)
        }
    }

    @Test func `secrets of a recovery key read back, and others are no key`() {
        let device = TestDevice(5)
        let read = DeviceKeys(recoverySecret: device.keys.recoverySecret())?.certificate
        #expect(read == device.certificate)
        #expect(DeviceKeys(recoverySecret: [1, 2, 3])?.device == nil)
    }
}
