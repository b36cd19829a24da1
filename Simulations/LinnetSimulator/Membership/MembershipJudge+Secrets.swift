import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// G2: all keys that each device has, tried on all that was ever sealed.
extension MembershipJudge {
    /// A batch as some device stores it, and what its key depends on.
    private struct Sealed {
        let header: [UInt8]
        let batch: BatchRow
        let binding: [UInt8]
        /// The root of its scope; no scope of this scenario is divided.
        let root: ScopeID
    }

    /// No device has a key that opens what was sealed while it was out, or bound to other scopes.
    func checkSecrets(of world: MembershipWorld) throws(Violation) {
        var records: [MemberRecordID: MemberRecord] = [:]
        for device in world.honest where device.isMember {
            for record in try log(of: device).records { records[record.id] = record }
        }
        let all: MembershipLog
        let sealed: [Sealed]
        do {
            all = try MembershipLog(
                stored: records.values.sorted(by: MemberRecord.precedes).map(\.encoded))
            sealed = try Self.everything(in: world, of: all.group)
        } catch {
            throw Violation(.noTraps, "a home cannot be read: \(error)")
        }
        for reader in world.devices {
            let keys = try keyRing(of: reader, in: world, all)
            let device = world.id(of: reader)
            for one in sealed {
                guard let entitled = entitled[one.batch.epoch],
                    entitled[device]?.allows(one.root) != true
                else { continue }
                for key in keys where Self.opens(one, with: key) {
                    let isMember = entitled[device] != nil
                    throw Violation(
                        .outMeansOut,
                        isMember
                            ? "a device opens what was sealed while it was bound to other scopes"
                            : "a device opens what was written while it was out",
                        devices: [reader.index])
                }
            }
        }
    }

    /// All keys that a device has: those of every box for it that there is, and those that others
    /// handed to it.
    private func keyRing(
        of reader: SimulatedDevice, in world: MembershipWorld, _ all: MembershipLog
    ) throws(Violation) -> [SharedSecret] {
        let own = SimulatedDevice.keys(seed: world.plan.seed, identity: reader.identity)
        var keys: [SharedSecret] = []
        for epoch in KeyRing(log: all, keys: own).epochs {
            keys += [epoch.networkKey, epoch.dataKey].compactMap(\.self) + epoch.scopeKeys.values
        }
        do {
            if let kept = try reader.replica?.storeForReading.value(.handedKeys) {
                keys += try Self.handed(kept)
            }
        } catch {
            throw Violation(
                .noTraps, "handed keys cannot be read: \(error)", devices: [reader.index])
        }
        return keys
    }

    /// The keys in what a device keeps of those that others handed to it.
    private static func handed(_ kept: [UInt8]) throws(WireError) -> [SharedSecret] {
        var reader = CBORReader(kept)
        var keys: [SharedSecret] = []
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 4)
            _ = try reader.bytes32()
            _ = try reader.bytes16()
            _ = try reader.optional { (reader) throws(WireError) in try reader.bytes16() }
            keys.append(SharedSecret(SecretBytes(copying: try reader.bytes32().array)))
        }
        return keys
    }

    /// Every batch that an honest device stores, once.
    private static func everything(
        in world: MembershipWorld, of group: GroupID
    ) throws -> [Sealed] {
        var found: [[UInt8]: Sealed] = [:]
        for device in world.honest where device.isMember {
            guard let store = device.replica?.storeForReading else { continue }
            for row in device.replica?.chainRows ?? [] where row.stored >= row.first {
                let author = Hash.blake2b(
                    .author, row.device.array, row.incarnation.array, count: 16)
                for seq in row.first...row.stored {
                    guard let batch = try store.batch(chain: row.index, seq: seq) else { continue }
                    let header = BatchHeader(
                        group: group, device: row.device, incarnation: row.incarnation,
                        scope: row.scope, seq: seq, prev: batch.prev, epoch: batch.epoch,
                        nonce: batch.nonce, root: batch.root
                    ).encoded
                    found[header] = Sealed(
                        header: header, batch: batch, binding: author + row.scope.array,
                        root: batch.root ?? row.scope)
                }
            }
        }
        return Array(found.values)
    }

    /// Tries a key as that of a batch, of a root and of an epoch, whatever it is meant for.
    private static func opens(_ sealed: Sealed, with key: SharedSecret) -> Bool {
        let root = SharedSecret(KeyDerivation.derive(key.bytes, .scopeKey, sealed.root.array))
        let derived = [
            key, SharedSecret(KeyDerivation.derive(key.bytes, .batchKey, sealed.binding)),
            SharedSecret(KeyDerivation.derive(key.bytes, .scopedBatchKey, sealed.binding)),
            SharedSecret(KeyDerivation.derive(root.bytes, .scopedBatchKey, sealed.binding)),
        ]
        return derived.contains { one in
            do {
                _ = try XChaCha.open(
                    key: one.bytes, nonce: sealed.batch.nonce, ciphertext: sealed.batch.ciphertext,
                    associatedData: sealed.header)
                return true
            } catch {
                return false
            }
        }
    }
}
