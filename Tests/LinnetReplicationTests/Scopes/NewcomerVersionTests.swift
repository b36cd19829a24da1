import LinnetChannel
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// A newcomer tells its version while it pairs, and a group that bound a device takes none that
/// would hand bound devices everything.
@Suite struct NewcomerVersionTests {
    private let fleet = Fleet()

    /// A phone, and a caregiver's device that met it.
    private func group() throws -> [Device] {
        let devices = try fleet.group(["phone", "caregiver"])
        fleet.disconnectAll()
        for _ in 0..<2 {
            fleet.connect(devices[0], devices[1])
            fleet.disconnectAll()
            fleet.advance(10)
        }
        return devices
    }

    private func bind(_ target: Device, by author: Device) throws {
        author.perform(
            try author.replica?.setRole(
                .reader, scopes: .only(["meds"]), of: try deviceID(of: target), at: fleet.now)
                ?? [])
        fleet.run()
    }

    /// Dials to pair; a device that shows no schema speaks as the first version did.
    private func dial(_ newcomer: Device, to member: Device, inVersion1: Bool) throws {
        member.replica?.pairingSchema = .empty
        newcomer.replica?.pairingSchema = inVersion1 ? nil : .empty
        member.events = []
        let code = try #require(try member.offer(at: fleet.now).code)
        fleet.connect(newcomer, member, .dialledToPair(.code(code)))
    }

    private func failures(_ device: Device) -> [PairingFailure] {
        device.events.compactMap {
            if case .pairingFailed(_, let failure, _) = $0 { failure } else { nil }
        }
    }

    private func asksAboutSomebody(_ device: Device) -> Bool {
        device.events.contains { if case .pairingRequest = $0 { true } else { false } }
    }

    @Test func `once a device was bound, a newcomer of an earlier version is not admitted`() throws
    {
        let devices = try group()
        try bind(devices[1], by: devices[0])
        let records = devices[0].replica?.group?.log.records.count
        let old = try fleet.device("old", seed: 8)
        try dial(old, to: devices[0], inVersion1: true)
        #expect(failures(devices[0]) == [.olderVersion] && !asksAboutSomebody(devices[0]))
        #expect(failures(old) == [.denied] && !old.isMember)
        #expect(devices[0].replica?.group?.log.records.count == records)
        fleet.disconnectAll()
        // What it was once does not stop it when it runs this version.
        try dial(old, to: devices[0], inVersion1: false)
        try fleet.accept(on: devices[0])
        try fleet.acceptSchema(on: old)
        #expect(old.isMember)
    }

    @Test func `nobody is admitted bound who runs an earlier version`() throws {
        let devices = try group()
        let old = try fleet.device("old", seed: 8)
        try dial(old, to: devices[0], inVersion1: true)
        #expect(asksAboutSomebody(devices[0]))
        try fleet.accept(on: devices[0], role: .reader, scopes: .only(["meds"]))
        #expect(failures(devices[0]) == [.olderVersion] && failures(old) == [.denied])
        #expect(!old.isMember)
    }

    @Test func `a binding while a newcomer looks at the schema shuts an earlier version out`()
        throws
    {
        let devices = try group()
        let old = try fleet.device("old", seed: 8)
        try dial(old, to: devices[0], inVersion1: false)
        let session = try #require(
            devices[0].replica?.sessions.all.first {
                if case .pairing = $0.state { true } else { false }
            })
        guard case .pairing(let state) = session.state else { return }
        // The second version shows the schema, and does not know scopes.
        var handshake = HandshakingState()
        (handshake.version, handshake.peerVersion) = (2, 2)
        let older = PairingState(
            handshake, handshakeHash: state.handshakeHash, remoteStatic: state.remoteStatic,
            expected: nil, deadline: state.deadline)
        session.state = .pairing(older.stepping(to: state.step))
        try fleet.accept(on: devices[0])
        try bind(devices[1], by: devices[0])
        let records = devices[0].replica?.group?.log.records.count
        try fleet.acceptSchema(on: old)
        #expect(failures(devices[0]) == [.olderVersion])
        #expect(!old.isMember && devices[0].replica?.group?.log.records.count == records)
    }

    @Test func `where nobody is bound, an earlier version is admitted, and then nobody is bound`()
        throws
    {
        let devices = try group()
        let old = try fleet.device("old", seed: 8)
        try dial(old, to: devices[0], inVersion1: true)
        try fleet.accept(on: devices[0])
        #expect(old.isMember)
        devices[0].replica?.scopes.note(try deviceID(of: old), readsScoped: false)
        #expect(throws: ReplicaError.membership(.scopesNotUnderstood([try deviceID(of: old)]))) {
            try bind(devices[1], by: devices[0])
        }
    }

    @Test func `who is known to read what is sealed by scope since its pairing need not be met`()
        throws
    {
        let devices = try group()
        let newcomer = try fleet.device("newcomer", seed: 8)
        try dial(newcomer, to: devices[0], inVersion1: false)
        try fleet.accept(on: devices[0])
        try fleet.acceptSchema(on: newcomer)
        fleet.disconnectAll()
        try fleet.reopen(devices[0])
        try bind(devices[1], by: devices[0])
        #expect(devices[0].replica?.group?.rights.isScoped == true)
        #expect(Preface.pairingVersions.upperBound == Preface.readingScoped)
    }
}
