import LinnetCRDT
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// Keys of scopes that nobody holds but devices which were bound to them.
@Suite struct StrandedScopeKeysTests {
    private let fleet = Fleet()

    private func meet(_ left: Device, _ right: Device) throws {
        for _ in 0..<2 {
            fleet.connect(left, right, .dialledMember(try deviceID(of: right)))
            fleet.disconnectAll()
            fleet.advance(10)
        }
    }

    private func bind(_ target: Device, by author: Device) throws {
        let effects = try author.replica?.setRole(
            .member, scopes: .only(["meds"]), of: try deviceID(of: target), at: fleet.now)
        author.perform(effects ?? [])
    }

    /// Removes a device.
    private func remove(_ target: Device, by author: Device) throws {
        let effects = try author.replica?.remove(
            try deviceID(of: target), reason: .lost, with: [], at: fleet.now)
        author.perform(effects ?? [])
    }

    /// A watch that writes while a phone has it bound, and is free again by the removal of the
    /// phone, of which a tablet heard that was admitted by the remover.
    private func stranded() throws -> (watch: Device, laptop: Device) {
        let devices = try fleet.group(["phone", "laptop", "watch"])
        let (phone, laptop, watch) = (devices[0], devices[1], devices[2])
        fleet.disconnectAll()
        for device in [laptop, watch] { try meet(phone, device) }
        try bind(watch, by: phone)
        try meet(phone, watch)
        try watch.set("aspirin", 1, .text("Aspirin"), at: fleet.now)
        try remove(phone, by: laptop)
        return (watch, laptop)
    }

    @Test func `what a bound device wrote opens for who never meets those with its data key`()
        throws
    {
        let (watch, laptop) = try stranded()
        let tablet = try fleet.device("tablet", seed: 8)
        try fleet.pair(member: laptop, newcomer: tablet)
        fleet.disconnectAll()
        // The records come to the watch by a relay, which holds no keys.
        let known = try #require(watch.replica?.group?.log.heads.elements)
        let records = try #require(tablet.replica?.group?.log.records(unknownTo: known))
        watch.perform(try watch.replica?.publish(records, at: fleet.now) ?? [])
        try meet(tablet, watch)
        let own = try deviceID(of: watch)
        #expect(watch.replica?.group?.log.state.member(own)?.isBound == false)
        let epochs = try #require(tablet.replica?.group?.ring.epochs)
        #expect(epochs.count < (watch.replica?.group?.ring.epochs.count ?? 0))
        #expect(try tablet.value("aspirin", 1) == .text("Aspirin"))
        // It is kept, and goes to the next one.
        try fleet.reopen(tablet)
        #expect(try tablet.value("aspirin", 1) == .text("Aspirin"))
        let next = try fleet.device("next", seed: 9)
        try fleet.pair(member: tablet, newcomer: next)
        fleet.disconnectAll()
        try meet(next, tablet)
        #expect(try next.value("aspirin", 1) == .text("Aspirin"))
    }
}
