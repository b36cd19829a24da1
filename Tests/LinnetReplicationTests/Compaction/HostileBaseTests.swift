import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// A member says of bases what no replica says.
@Suite struct HostileBaseTests {
    private let fleet = Fleet()

    /// A newcomer, or the founder, and a member whose place somebody takes who offers it a base.
    private func sample(
        founder: Bool = false
    ) throws -> (host: Device, liar: RawMember, offer: BaseOffer) {
        let devices = try fleet.group(["a", "b"])
        let (host, other) = (devices[founder ? 0 : 1], devices[founder ? 1 : 0])
        try other.set("aspirin", 1, .text("Aspirin"), at: fleet.now)
        let liar = try RawMember(other, at: host, in: fleet)
        try liar.greet(features: HelloMessage.bases)
        let scope = try #require(host.vector.first?.scope)
        let floor = BaseFloor(
            key: ChainKey(scope: scope, chain: Bytes16(repeating: 9)), seq: 3,
            id: Bytes32(repeating: 7))
        return (host, liar, BaseOffer(floors: [floor], records: 1, bytes: 10))
    }

    private func name(_ offer: BaseOffer, _ host: Device) throws -> Bytes16 {
        guard let group = host.replica?.groupID else { throw Device.Closed() }
        return offer.id(in: group)
    }

    @Test func `an offer of what is lacking is asked for`() throws {
        let (host, liar, offer) = try sample()
        try liar.say(.base, offer.encode())
        let asked = try #require(liar.heard.last { $0.type == .baseGet })
        let question = try BaseGetMessage.decode(asked.body)
        #expect(try question.base == name(offer, host))
        #expect(question.batches == 0 && question.after == nil)
        #expect(liar.end == nil)
    }

    @Test func `nothing is taken of a scope that is known, and the giver is named`() throws {
        let (host, liar, offer) = try sample(founder: true)
        let before = try host.digest()
        try liar.say(.base, offer.encode())
        #expect(!liar.heard.contains { $0.type == .baseGet })
        #expect(liar.end == nil)
        #expect(try host.digest() == before)
        #expect(
            host.events.contains {
                if case .warning(.basesDiffer) = $0 { true } else { false }
            })
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a part that is not what was asked for ends the session, and changes nothing`(
        _ kind: Int
    ) throws {
        let (host, liar, offer) = try sample()
        let before = try host.digest()
        try liar.say(.base, offer.encode())
        let record = RecordKey(collection: 1_000, record: try #require(RecordID("r")))
        let piece = BasePartMessage.Piece(
            key: record, scope: offer.floors[0].key.scope, length: 3, bytes: [1, 2, 3])
        let base = try name(offer, host)
        let part =
            switch kind {
            case 0:
                BasePartMessage(
                    base: Bytes16(repeating: 1), batches: [], pieces: [], isLast: true)
            // A record before the batches at the floors.
            case 1: BasePartMessage(base: base, batches: [], pieces: [piece], isLast: false)
            case 2: BasePartMessage(base: base, batches: [[1]], pieces: [], isLast: false)
            // An end without what was offered.
            default: BasePartMessage(base: base, batches: [], pieces: [], isLast: true)
            }
        try liar.say(.basePart, part.encode())
        #expect(liar.end == .protocolViolation)
        #expect(try host.digest() == before)
    }

    @Test func `a part or a question that nobody asked for ends the session`() throws {
        for type in [MessageType.basePart, .baseGet] {
            let (host, liar, offer) = try HostileBaseTests().sample()
            let base = try name(offer, host)
            let body =
                type == .baseGet
                ? BaseGetMessage(base: base, batches: 0, after: nil, offset: 0).encode()
                : BasePartMessage(base: base, batches: [], pieces: [], isLast: true).encode()
            try liar.say(type, body)
            #expect(liar.end == .protocolViolation)
        }
    }

    @Test func `an offer of what is held is passed over`() throws {
        let (host, liar, _) = try sample(founder: true)
        let entry = try #require(host.vector.first)
        let floor = BaseFloor(
            key: ChainKey(scope: entry.scope, chain: entry.chain), seq: entry.seq, id: entry.head)
        try liar.say(.base, BaseOffer(floors: [floor], records: 0, bytes: 0).encode())
        #expect(!liar.heard.contains { $0.type == .baseGet })
        #expect(liar.end == nil)
    }
}
