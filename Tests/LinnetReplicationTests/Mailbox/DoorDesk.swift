import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// A group with recovery words and a mailbox, and devices that come back from it: the common part
/// of the tests of doors.
struct DoorDesk {
    static let words = "volumes fabulous citric finicky fructose empathic shifty"
    static let other = "abacus abdomen abide ability ablaze able abrasion"

    static func phrase(_ text: String = words) throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(copying: Array(text.utf8)))
    }

    /// Devices of a group with words, which left all they have in a mailbox.
    func group(
        _ fleet: Fleet, _ shelf: Shelf, _ names: [String] = ["a", "b"]
    ) throws -> [Device] {
        let devices = try fleet.group(names, keepsRecoveryKey: true)
        devices[0].perform(
            try devices[0].replica?.createRecovery(Self.phrase(), at: fleet.now) ?? [])
        fleet.run()
        for other in devices.dropFirst() + devices.dropFirst() {
            fleet.connect(devices[0], other)
            fleet.disconnectAll()
        }
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try devices[1].set("milk", 1, .text("Milk"), at: fleet.now)
        for device in devices + devices { try fleet.post(device, shelf) }
        return devices
    }

    @discardableResult
    func find(_ shelf: Shelf, _ words: String = words) throws -> FoundGroup {
        try DoorSearch.find(Self.phrase(words)) { shelf.answer($0) }
    }

    /// A new device that comes back from the mailbox, and reads all of it.
    func comeBack(
        _ fleet: Fleet, _ shelf: Shelf, _ words: String = words, seed: UInt8 = 40
    ) throws -> (Device, MailboxID) {
        let found = try find(shelf, words)
        let device = try fleet.device("new", seed: seed)
        let joined = try device.replica?.rejoin(
            found, phrase: Self.phrase(words), mailbox: "shelf", at: fleet.now)
        let (mailbox, effects) = try #require(joined)
        device.perform(effects)
        device.mails = []
        var isRepeated = true
        while isRepeated {
            device.perform(
                try device.replica?.beginMailReading(mailbox, at: fleet.now) ?? [])
            var round: MailRound?
            while round == nil, !device.mails.isEmpty {
                switch device.mails.removeFirst() {
                case .ended(_, let ended): round = ended
                case .ask(let id, let request):
                    device.perform(
                        device.replica?.handle(
                            .mailAnswered(id, request, shelf.answer(request)), at: fleet.now)
                            ?? [])
                }
            }
            let ended = try #require(round, "a round stopped without an end")
            #expect(ended.failure == nil)
            isRepeated = ended.isRepeated
        }
        return (device, mailbox)
    }

    /// Takes devices out with the words.
    func remove(_ lost: [Device], by device: Device, _ fleet: Fleet) throws {
        let names = try lost.map(deviceID(of:))
        device.perform(
            try device.replica?.removeByRecovery(names, phrase: Self.phrase(), at: fleet.now)
                ?? [])
        fleet.run()
    }
}
