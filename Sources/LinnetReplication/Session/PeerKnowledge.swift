import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The knowledge that a replica keeps of a peer, for the time when there is no session with it.
struct PeerKnowledge: Equatable, Sendable {
    /// The batches that the peer held when it was last heard.
    var listing = VectorListing()
    /// The last statements that both sides signed for each other.
    var statements: StatementPair?
    /// The scopes that the peer said it holds; nil when an older version kept this knowledge.
    var scopes: ScopeFilter?

    /// The version of knowledge without scopes.
    private static let withoutScopes: UInt64 = 1
    private static let version: UInt64 = 2

    init() {}

    init(_ talk: OpenState, before: PeerKnowledge) {
        for (key, head) in talk.peer { listing.append(head, of: key.scope) }
        scopes = talk.greeting.scopes
        let said = talk.certificates
        statements = before.statements
        if let own = said.own, let theirs = said.theirs {
            statements = StatementPair(own: own, theirs: theirs)
        }
    }

    /// Reads the bytes that were kept; nothing is known from bytes that this version cannot read.
    init(decoding bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        do throws(WireError) {
            var reader = CBORReader(bytes)
            let parts = try reader.array(max: 4)
            let version = try reader.unsigned()
            guard
                (parts, version) == (3, Self.withoutScopes) || (parts, version) == (4, Self.version)
            else { return }
            let listing = try VectorListing.read(from: &reader)
            let count = try reader.array(max: 2)
            var statements: [HoldingStatement] = []
            for _ in 0..<count {
                let bytes = try reader.bytes(max: Limits.certificateBytes)
                guard let statement = HoldingStatement(decoding: bytes) else { return }
                statements.append(statement)
            }
            var scopes: ScopeFilter?
            if parts == 4 { scopes = try ScopeFilter.read(from: &reader) }
            try reader.finish()
            self.listing = listing
            self.scopes = scopes
            if let own = statements.first, let theirs = statements.last, count == 2 {
                self.statements = StatementPair(own: own, theirs: theirs)
            }
        } catch {
            return
        }
    }

    func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: listing.encodedBytesExpected)
        writer.array(scopes == nil ? 3 : 4)
        writer.unsigned(scopes == nil ? Self.withoutScopes : Self.version)
        listing.write(to: &writer)
        let kept = statements.map { [$0.own, $0.theirs] } ?? []
        writer.array(kept.count)
        for statement in kept { writer.bytes(statement.encoded) }
        scopes?.write(to: &writer)
        return writer.bytes
    }

    /// Returns the last sequence number of a chain that was held; 0 if there was none.
    func seq(of key: ChainKey) -> UInt64 {
        listing.scopes.first { $0.scope == key.scope }?
            .heads.first { $0.chain == key.chain }?.seq ?? 0
    }
}

/// The statements that two devices signed for each other in one session.
package struct StatementPair: Equatable, Sendable {
    /// This device's statement.
    package let own: HoldingStatement
    /// The peer's.
    package let theirs: HoldingStatement

    /// True when both held the same changes and showed the same.
    package var agrees: Bool {
        own.vector == theirs.vector && own.form == theirs.form && own.visible == theirs.visible
    }
}

extension Store {
    /// Returns the knowledge that is kept of each peer that said what it holds.
    func peerKnowledge() throws(StorageError) -> [(device: DeviceID, knowledge: PeerKnowledge)] {
        try peers().filter { !$0.acknowledged.isEmpty }.map {
            ($0.device, PeerKnowledge(decoding: $0.acknowledged))
        }
    }
}
