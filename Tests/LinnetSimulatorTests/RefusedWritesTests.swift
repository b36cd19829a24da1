import LinnetCRDT
import LinnetCrypto
import LinnetMedication
import LinnetMembership
import LinnetReplication
import LinnetSimulator
import LinnetStorage
import LinnetWire
import Testing

/// A replica whose disk refuses a write that belongs to no input.
@Suite(.serialized)
struct RefusedWritesTests {
    private static let now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)

    private static func member(on disk: Disk) throws -> Replica {
        let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        var entropy = Entropy(seed: secret)
        let keys = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        let store = try SQLiteStore(
            path: disk.path("store"), databaseKey: SecretBytes(zeroed: 32),
            noncePrefix: [UInt8](repeating: 1, count: 16), vfs: Disk.vfs)
        var replica = try Replica.open(
            store: store, keys: keys, schema: .demonstration, entropy: entropy,
            witness: .missing, at: now)
        _ = try replica.createGroup(name: "first", kind: "phone", at: now)
        return replica
    }

    private static func failure(_ body: () throws(ReplicaError) -> Void) -> ReplicaError? {
        do throws(ReplicaError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func write() throws -> Write {
        .set(
            collection: 1_000, record: try #require(RecordID("one")),
            fields: [FieldWrite(1, .text("one"))])
    }

    @Test func `an invitation and an address that the disk has no room for can be tried again`()
        throws
    {
        let disk = Disk(name: "refused", random: SeededRandom(seed: 1))
        var replica = try Self.member(on: disk)
        let peer = DeviceID(repeating: 9)
        disk.fill()
        let refused = [
            Self.failure { () throws(ReplicaError) in
                _ = try replica.offerPairing(addresses: [], at: Self.now)
            },
            Self.failure { () throws(ReplicaError) in
                try replica.rememberAddress("192.0.2.1:4000", of: peer)
            },
        ]
        #expect(refused == [.storage(.diskFull), .storage(.diskFull)])
        let write = try Self.write()
        let full = Self.failure { () throws(ReplicaError) in
            _ = try replica.commit([write], at: Self.now)
        }
        let hasFailed = replica.hasFailed
        #expect(full == .storage(.diskFull) && !hasFailed)
        #expect(try replica.reader.records(1_000).isEmpty)
        disk.empty()
        let (receipt, _) = try replica.commit([write], at: Self.now)
        #expect(receipt.operations == 1)
        try replica.rememberAddress("192.0.2.1:4000", of: peer)
        _ = try replica.offerPairing(addresses: [], at: Self.now)
        #expect(try replica.reading.rememberedAddresses().map(\.1) == [["192.0.2.1:4000"]])
    }

    @Test func `an invitation whose sync fails is told, and nothing is written after it`() throws {
        let disk = Disk(name: "unsynced", random: SeededRandom(seed: 2))
        var replica = try Self.member(on: disk)
        let write = try Self.write()
        disk.failSync()
        let refused = [
            Self.failure { () throws(ReplicaError) in
                _ = try replica.offerPairing(addresses: [], at: Self.now)
            },
            Self.failure { () throws(ReplicaError) in
                _ = try replica.commit([write], at: Self.now)
            },
        ]
        let areIO = refused.map { if case .storage(.io) = $0 { true } else { false } }
        #expect(areIO == [true, true])
    }
}
