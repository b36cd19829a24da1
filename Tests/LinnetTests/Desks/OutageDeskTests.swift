import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import Linnet

struct OutageDeskTests {
    private func keys() -> DeviceKeys {
        var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
    }

    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
    }

    @Test func `a desk without an outage waits for nothing`() {
        let desk = OutageDesk()
        #expect(desk.isOut == false)
        #expect(desk.reason == nil)
        #expect(desk.nextDeadline == nil)
        #expect(desk.fire(at: moment(1_000_000)) == false)
        let mayTry = desk.mayTry(at: 1_000_000)
        #expect(!mayTry)
        let hasKeys = desk.copyOfKeys() != nil
        #expect(!hasKeys)
    }

    @Test func `the disk is tried when its time has come, and later after a try in vain`() {
        var desk = OutageDesk()
        desk.begin(.stopped, keys: keys(), at: 0)
        #expect(desk.isOut == true)
        #expect(desk.reason == .stopped)
        #expect(desk.nextDeadline == 1_000)
        #expect(desk.fire(at: moment(999)) == false)
        #expect(desk.fire(at: moment(1_000)) == true)
        desk.tried(at: 1_000)
        #expect(desk.nextDeadline == 3_000)
        let device = desk.copyOfKeys()?.device
        #expect(device == keys().device)
    }

    @Test func `an outage soon after one that ended goes on with its pauses, a dismissed one not`()
    {
        var desk = OutageDesk()
        desk.begin(.stopped, keys: keys(), at: 0)
        desk.tried(at: 1_000)
        desk.recovered(at: 3_000)
        #expect(desk.isOut == false)
        desk.begin(.stopped, keys: keys(), at: 4_000)
        #expect(desk.nextDeadline == 6_000)
        desk.dismiss()
        #expect(desk.isOut == false)
        #expect(desk.nextDeadline == nil)
    }
}
