import LinnetCRDT
import LinnetChannel
import LinnetCompanion
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The lanes of a phone, without a replica around them.
@Suite struct LaneStepsTests {
    private let bench: Workbench
    private let watch = DeviceID(repeating: 7)

    init() throws { bench = try Workbench() }

    private func phone() throws -> LaneHost {
        var entropy = Device.entropy(5)
        return try LaneHost(.phone, &entropy, in: bench.turn.store)
    }

    private func session(_ link: UInt64, with device: DeviceID) -> (Session, OpenState) {
        var entropy = Device.entropy(80)
        let session = Session(
            link: LinkID(rawValue: link), origin: .accepted,
            channel: ChannelMachine(
                role: .responder(accepting: [.member]), staticKey: bench.keys.noise.copy(),
                nonce: entropy.bytes(Preface.nonceBytes), ephemeral: entropy.secret(32),
                at: bench.now, pairingVersions: nil),
            now: bench.now.uptimeMilliseconds)
        let state = OpenState(
            AuthorisingState(HandshakingState(), remoteStatic: [], deadline: 0),
            device: device, now: 0)
        return (session, state)
    }

    /// The records, in which devices say of what kind they are.
    private func records(_ kinds: [(DeviceID, String)]) throws -> RecordReader {
        try bench.turn.writingDerived()
        for (device, kind) in kinds {
            var state = RecordState(
                collection: Replica.devices, record: Replica.recordID(of: device))
            _ = state.apply(
                Operation(
                    collection: state.collection, record: state.record, generation: 1,
                    field: Schema.DeviceFields.kind, kind: OperationKind.lwwSet.rawValue,
                    stampDelta: 0, payload: try Value.text(kind).encoded()),
                stamp: .zero, at: Position(chain: .zero, seq: 1, index: 0))
            try bench.turn.store.putRecord(state)
        }
        return RecordReader(overlay: Overlay(seed: 1), rows: bench.rows())
    }

    @Test func `a watch carries the lanes of a phone over its newest link`() throws {
        var host = try phone()
        let laptop = DeviceID(repeating: 8)
        let reader = try records([(watch, "watch"), (laptop, "laptop")])
        let peers = [session(1, with: watch), session(2, with: laptop), session(3, with: watch)]
        let links = try host.links(of: peers, reader)
        #expect(links.keys == [watch] && links[watch] == LinkID(rawValue: 3))
        #expect(host.counterparts[laptop] == false)
    }

    @Test func `a state that comes before its link carries the lanes is kept for then`() throws {
        var host = try phone()
        let link = LinkID(rawValue: 1)
        try host.receive(.laneProbe, [1], from: watch, on: link, &bench.turn, at: bench.now)
        #expect(host.early[watch] == nil)
        try host.receive(.laneState, [1], from: watch, on: link, &bench.turn, at: bench.now)
        #expect(host.early[watch]?.link == link)
        try host.tend(OrderedTable([(watch, link)]), &bench.turn, at: bench.now)
        #expect(host.linked[watch] == link && host.early[watch] == nil)
        try host.tend(OrderedTable(), &bench.turn, at: bench.now)
        #expect(host.linked.isEmpty)
    }

    @Test func `what an application gives is kept with the call, and forgotten in a copy`() throws {
        var host = try phone()
        try host.perform(.activate(hasDelegate: true), &bench.turn, at: bench.now)
        try host.perform(.environment(.app(.foreground)), &bench.turn, at: bench.now)
        try host.tend(
            OrderedTable([(watch, LinkID(rawValue: 1))]), &bench.turn, at: bench.now)
        try host.perform(
            .app(.transferUserInfo(["text": .text("x")], TransferOptions())), &bench.turn,
            at: bench.now)
        #expect(bench.turn.store.isInTransaction)
        #expect(try !bench.turn.store.lanes(family: LaneHost.journal).isEmpty)
        host.speak(in: Sessions(), &bench.turn)
        #expect(host.outgoing.isEmpty && host.effects.isEmpty)
        try LaneHost.forget(&bench.turn)
        #expect(try bench.turn.store.lanes(family: LaneHost.journal).isEmpty)
    }
}
