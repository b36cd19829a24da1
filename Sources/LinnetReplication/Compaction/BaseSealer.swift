import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// Seals the records of a base as batches are, under the group's keys: whoever could read the
/// batches that are gone can read it, and nobody else, whatever disk it comes from.
///
/// Sealing draws nothing at random: equal records under equal keys are equal bytes.
struct BaseSealer {
    private static let epochBytes = 32
    private static let rootBytes = 16

    let group: GroupState

    /// Seals a record as it is encoded; nil without keys to write under.
    func seal(_ content: [UInt8], of name: RecordName, in scope: ScopeID) -> BaseRow? {
        guard let epoch = group.ring.writing else { return nil }
        let root = group.rights.isScoped ? group.root(of: scope) : nil
        guard let key = group.batchKeys.key(of: epoch, author: .zero, scope: scope, root: root)
        else { return nil }
        let data = Self.associatedData(name, scope)
        let nonce = Hash.keyed(
            by: key.bytes, .baseNonce, data, content, count: XChaCha.nonceBytes)
        let box = XChaCha.sealWithNonce(
            key: key.bytes, nonce: nonce, plaintext: content, associatedData: data)
        return BaseRow(
            name: name, scope: scope,
            sealed: epoch.id.array + (root ?? ScopeID.zero).array + box)
    }

    /// Opens a record of a base; `corrupt` where it is not what was sealed, or its keys are gone.
    func open(_ row: BaseRow) throws(StorageError) -> RecordState {
        let prefix = Self.epochBytes + Self.rootBytes
        guard row.sealed.count > prefix,
            let epoch = EpochID(Array(row.sealed[..<Self.epochBytes])),
            let root = ScopeID(Array(row.sealed[Self.epochBytes..<prefix])),
            let keys = group.ring.keys(of: epoch),
            let key = group.batchKeys.key(
                of: keys, author: .zero, scope: row.scope, root: root == .zero ? nil : root)
        else { throw .corrupt(where: "bases") }
        do {
            let content = try XChaCha.openWithNonce(
                key: key.bytes, box: Array(row.sealed[prefix...]),
                associatedData: Self.associatedData(row.name, row.scope))
            return try RecordRow.decode(
                content, collection: row.name.collection, record: row.name.id)
        } catch {
            throw .corrupt(where: "bases")
        }
    }

    private static func associatedData(_ name: RecordName, _ scope: ScopeID) -> [UInt8] {
        var data = Label.base.bytes + scope.array
        BigEndian.append(name.collection, to: &data)
        return data + name.id.utf8
    }
}

extension BatchLog {
    /// Returns a record as the batches left it that are gone; nil when none of them named it.
    func base(of key: RecordKey) throws(StorageError) -> RecordState? {
        guard hasBase, let group,
            let row = try store.base(
                of: RecordName(collection: key.collection, id: key.record), on: .own)
        else { return nil }
        return try BaseSealer(group: group).open(row)
    }

    /// The last folded batches of a record's scope: whoever holds these has all that is folded.
    func floors(of key: RecordKey) -> [Position] {
        let scope = scope(of: key)
        return chains.rows.values.filter { $0.scope == scope && $0.isFolded }.map {
            Position(chain: $0.chain, seq: $0.floor, index: 0)
        }
    }

    /// True when batches are gone.
    var hasBase: Bool { chains.hasFloors }

    /// Gives `body` the records of the base that lie between two others, in order.
    func forEachBase(
        after first: RecordKey?, upTo last: RecordKey?,
        _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard hasBase, let group else { return }
        let sealer = BaseSealer(group: group)
        var after = first.map { RecordName(collection: $0.collection, id: $0.record) }
        while true {
            let rows = try store.bases(after: after, limit: 256, on: .own)
            for row in rows {
                let key = RecordKey(collection: row.name.collection, record: row.name.id)
                if let last, last < key { return }
                try body(try sealer.open(row))
            }
            guard let last = rows.last else { return }
            after = last.name
        }
    }
}
