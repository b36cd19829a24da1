import LinnetCrypto
import LinnetMembership
import LinnetStorage
import Testing

@testable import Linnet

struct OutageTests {
    private func keys() -> DeviceKeys {
        var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
    }

    @Test func `the pauses between tries grow up to half a minute`() {
        var outage = Outage(.stopped, keys: keys(), after: nil, at: 100)
        var pauses = [outage.next - 100]
        for _ in 0..<7 {
            let before = outage.next
            outage.tried(at: before)
            pauses.append(outage.next - before)
        }
        #expect(pauses == [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    }

    @Test func `an outage that follows another soon waits as long as that one did`() {
        let last = Outage.Ended(tries: 3, at: 1_000)
        let soon = Outage(.stopped, keys: keys(), after: last, at: 5_000)
        #expect(soon.next == 13_000)
        let late = Outage(.stopped, keys: keys(), after: last, at: 61_000)
        #expect(late.next == 62_000)
    }

    @Test func `who asks before it is time is served once a second`() {
        var outage = Outage(.stopped, keys: keys(), after: nil, at: 0)
        var answers = [outage.mayTry(at: 999), outage.mayTry(at: 1_000)]
        outage.tried(at: 1_000)
        answers += [outage.mayTry(at: 1_999), outage.mayTry(at: 2_000)]
        #expect(answers == [false, true, false, true])
    }

    @Test func `a disk may recover, a damaged database does not`() {
        #expect(StorageError.diskFull.mayPass && StorageError.io(code: 10).mayPass)
        #expect(!StorageError.corrupt(where: "records").mayPass && !StorageError.wrongKey.mayPass)
    }

    @Test func `the keys that are kept are the same ones`() {
        let keys = keys()
        let copy = keys.copy()
        #expect(copy.device == keys.device)
        #expect(copy.certificate == keys.certificate)
    }
}
