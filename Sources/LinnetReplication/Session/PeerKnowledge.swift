import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The knowledge that a replica keeps of a peer, for the time when there is no session with it.
struct PeerKnowledge: Equatable, Sendable {
    /// The batches that the peer held when it was last heard.
    var listing = VectorListing()
    /// The last statements that both sides signed for each other.
    var statements: StatementPair?

    private static let version: UInt64 = 1

    init() {}

    init(_ talk: OpenState, before: PeerKnowledge) {
        for (key, head) in talk.peer { listing.append(head, of: key.scope) }
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
            try reader.array(exactly: 3)
            guard try reader.unsigned() == Self.version else { return }
            let listing = try VectorListing.read(from: &reader)
            let count = try reader.array(max: 2)
            var statements: [HoldingStatement] = []
            for _ in 0..<count {
                let bytes = try reader.bytes(max: Limits.certificateBytes)
                guard let statement = HoldingStatement(decoding: bytes) else { return }
                statements.append(statement)
            }
            try reader.finish()
            self.listing = listing
            if let own = statements.first, let theirs = statements.last, count == 2 {
                self.statements = StatementPair(own: own, theirs: theirs)
            }
        } catch {
            return
        }
    }

    func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: listing.encodedBytesExpected)
        writer.array(3)
        writer.unsigned(Self.version)
        listing.write(to: &writer)
        let kept = statements.map { [$0.own, $0.theirs] } ?? []
        writer.array(kept.count)
        for statement in kept { writer.bytes(statement.encoded) }
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
