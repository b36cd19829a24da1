import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetMedication
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// What a machine of a replica needs around it when it is tried alone: a store of its own in a
/// temporary directory, a group, and batches of a device that belongs to it.
final class Workbench {
    let schema = LinnetCRDT.Schema.demonstration
    let now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
    let group: GroupState
    /// A member that is not the one at the bench.
    var writer: Author
    /// The one at the bench.
    var author: Author
    var turn: Turn
    private let directory: URL
    let keys: DeviceKeys

    init(_ seed: UInt8 = 1) throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("linnet-machine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var entropy = Device.entropy(seed)
        let keys = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        let log = try MembershipLog.founded(by: keys, entropy: &entropy)
        group = GroupState(log: log, schema: schema, keys: keys)
        writer = Author(
            device: keys.device, incarnation: Incarnation(repeating: 4), clock: .zero, count: 0,
            nonces: BatchNonces(entropy: &entropy))
        author = Author(
            device: DeviceID(repeating: 9), incarnation: Incarnation(repeating: 5), clock: .zero,
            count: 0, nonces: BatchNonces(entropy: &entropy))
        let store = try SQLiteStore(
            path: directory.appendingPathComponent("store.sqlite").path,
            databaseKey: keys.databaseKey, noncePrefix: entropy.bytes(16))
        turn = Turn(store)
        self.keys = keys
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The scope of the records that `body` writes.
    func scope() throws -> ScopeID {
        let name = schema.collection(id: Device.medication)?.scope.name ?? ""
        return try #require(group.scope(named: name))
    }

    /// The batches that show, as a record book reads them.
    func log(of chains: ChainBook) -> BatchLog {
        BatchLog(store: turn.store, chains: chains.index, group: group, schema: schema)
    }

    /// The rows of records, over batches of which none shows.
    func rows() -> RecordRows {
        RecordRows(
            mender: RowMender(), policy: .standard,
            log: BatchLog(
                store: turn.store, chains: ChainIndex([]), group: group, schema: schema))
    }

    /// The name of a medicine's record.
    func key(_ name: String) throws -> RecordKey {
        RecordKey(collection: Device.medication, record: try #require(RecordID(name)))
    }

    /// A medicine in which one field was set.
    func state(_ name: String, _ text: String, at stamp: Int64) throws -> RecordState {
        let key = try key(name)
        var state = RecordState(collection: key.collection, record: key.record)
        _ = state.apply(
            Operation(
                collection: key.collection, record: key.record, generation: 1, field: 1,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                payload: try Value.text(text).encoded()),
            stamp: Timestamp(rawValue: stamp) ?? .zero,
            at: Position(chain: .zero, seq: 1, index: 0))
        return state
    }

    /// A chain as the store numbers it, with nothing in it.
    func row(of author: Author) throws -> ChainRow {
        try turn.writingDerived()
        return try turn.store.insertChain(
            ChainRow.root(
                scope: try scope(), device: author.device, incarnation: author.incarnation))
    }

    /// A batch's content that sets one field of one record.
    func body(
        _ text: String, commit: CommitID = .zero, part: UInt32 = 1, parts: UInt32 = 1
    ) throws -> BatchBody {
        let record = try #require(RecordID("record"))
        var operations = Operations()
        operations.append(
            Operation(
                collection: Device.medication, record: record, generation: 1, field: 1,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                payload: try Value.text(text).encoded()))
        return BatchBody(
            attributes: BatchAttributes(
                commit: commit, part: part, parts: parts, intent: nil,
                schemaVersion: schema.version, baseStamp: Timestamp(rawValue: 1 << 20) ?? .zero,
                partScopes: []),
            operations: operations)
    }

    /// A batch of the writer.
    func batch(
        _ seq: UInt64, after previous: BatchID = .zero, _ body: BatchBody
    ) throws -> SealedBatch {
        try writer.seal(
            body, scope: try scope(), seq: seq, after: previous, for: group, keys.signing)
    }

    /// A chain of batches of the writer, one after the other.
    func chain(_ count: Int) throws -> [SealedBatch] {
        var batches: [SealedBatch] = []
        for number in 0..<count {
            batches.append(
                try batch(
                    UInt64(number + 1), after: batches.last?.id ?? .zero, try body("\(number)")))
        }
        return batches
    }
}
