import LinnetReplication
import LinnetStorage
import LinnetWire

/// The packs of a fleet: which batches are in them, and that none is left that nobody needs.
extension World {
    /// The faults of a store, and of homes, after which a device does not know what it left.
    private static let forgetting: [FaultKind] = [
        .mailLost, .mailReturned, .mailForgotten, .mailSpoiled, .restoreWithWitness,
        .restoreWithoutWitness, .rollback, .cloneWithWitness,
    ]

    /// Notes what a pack holds that a device puts.
    func notePut(
        _ object: MailObject, in mailbox: MailboxID, by device: SimulatedDevice
    ) throws(Violation) {
        guard object.name.kind == .pack, let mail else { return }
        mail.note(object)
        let batches: [BatchID]?
        do throws(StorageError) {
            batches = try device.replica?.mailPack(object.name, in: mailbox)
        } catch {
            // A disk that fails ends the process.
            return try crash(device, power: false)
        }
        guard let batches else {
            throw Violation(
                .packsGiveWay, "it puts the pack \(object.name.text) and did not note it",
                devices: [device.index])
        }
        try inspector.show(.mailPut(device: device.index, object.name, OrderedSet(batches)))
    }

    /// A pack that lies there though no device names it; nil when there is none, or where somebody
    /// may have forgotten what it left.
    func packTrouble() -> String? {
        guard let mail, !Self.forgetting.contains(where: coverage.has) else { return nil }
        let orphan = mail.store.packs.first { name in
            !devices.contains { device in
                guard let id = device.replica?.mailboxes.first?.id else { return false }
                return device.replica?.namesPack(name, in: id) == true
            }
        }
        return orphan.map { "the pack \($0.text) lies there, and nobody names it" }
    }
}
