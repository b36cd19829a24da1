import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The membership records of a made-up group, signed by many devices that see each other's late.
struct GroupHistory: ~Copyable {
    /// The records as they are stored, parents first.
    private(set) var records: [[UInt8]] = []
    private var group = GroupID.zero
    private var heads: [MemberRecord] = []
    private var state: UInt64 = 17
    private var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
    private var restrictions: [MemberRecordID] = []
    /// The highest number of an epoch.
    private var number: UInt64 = 0

    /// So many records by so many devices, this many of them removals.
    ///
    /// Every device is an admin. The removals come at even distances; the rest are votes about
    /// them, heads of batches that count, and epochs, two records beside each other at a time.
    static func records(
        _ count: Int, devices: Int, removals: Int
    ) throws(MembershipError) -> [[UInt8]] {
        var history = GroupHistory()
        let owners = try history.found(devices)
        let start = history.records.count
        var removed = 0
        while history.records.count < count {
            let (beside, number) = (history.heads, history.number)
            let first = history.draw(devices)
            for author in [first, (first + 1 + history.draw(devices - 1)) % devices]
            where history.records.count < count {
                // The youngest are removed first, and so on in turn.
                let target = devices - 1 - removed % (devices - 1)
                let due = start + removed * (count - start) / max(1, removals)
                if removed < removals, history.records.count >= due, target != author {
                    try history.remove(
                        owners[target].device, by: owners[author], of: owners, number, beside)
                    removed += 1
                } else {
                    try history.write(by: owners[author], of: owners, number, beside)
                }
            }
        }
        return history.records
    }

    /// Keys of a device, which cannot be copied.
    private final class Owner {
        let keys: DeviceKeys
        var device: DeviceID { keys.device }

        init(_ entropy: inout Entropy) {
            keys = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
        }
    }

    private mutating func found(_ count: Int) throws(MembershipError) -> [Owner] {
        var owners: [Owner] = []
        for _ in 0..<count { owners.append(Owner(&entropy)) }
        let log = try MembershipLog.founded(by: owners[0].keys, entropy: &entropy)
        group = log.group
        for record in log.records { keep(record) }
        number = 1
        for owner in owners.dropFirst() {
            var writer = CBORWriter()
            writer.array(4)
            writer.raw(owner.keys.certificate.encoded)
            writer.unsigned(UInt64(Role.admin.rawValue))
            writer.bytes(log.records[1].id)
            writer.bytes([UInt8](repeating: 0, count: 112))
            try sign(.add, writer.bytes, by: owners[0], on: heads)
        }
        return owners
    }

    private mutating func remove(
        _ device: DeviceID, by author: Owner, of owners: [Owner], _ highest: UInt64,
        _ parents: [MemberRecord]
    ) throws(MembershipError) {
        let others = owners.map(\.device).filter { $0 != device }
        number = highest + 1
        let payload = MemberPayload.remove(
            RemovePayload(
                device: device, reason: 0, with: [], heads: [],
                epoch: try EpochPayload(decoding: epoch(for: others))))
        restrictions.append(try sign(.remove, payload.encoded, by: author, on: parents).id)
    }

    private mutating func write(
        by author: Owner, of owners: [Owner], _ highest: UInt64, _ parents: [MemberRecord]
    ) throws(MembershipError) {
        switch draw(10) {
        case 0:
            number = highest + 1
            try sign(.epoch, epoch(for: owners.map(\.device)), by: author, on: parents)
        case 1, 2:
            let head = BatchHead(
                incarnation: Bytes8(repeating: UInt8(draw(256))),
                scope: Bytes16(repeating: UInt8(draw(4))), sequence: UInt64(1 + draw(1_000)),
                batch: Bytes32(repeating: UInt8(draw(256))))
            let payload = MemberPayload.extend(
                ExtendPayload(device: owners[draw(owners.count)].device, heads: [head]))
            try sign(.extend, payload.encoded, by: author, on: parents)
        default:
            let about =
                restrictions.isEmpty ? parents[0].id : restrictions[draw(restrictions.count)]
            let payload = MemberPayload.vote(VotePayload(isFor: draw(4) > 0, record: about))
            try sign(.vote, payload.encoded, by: author, on: parents)
        }
    }

    private func epoch(for devices: [DeviceID]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.unsigned(number)
        writer.bytes(Bytes32(repeating: 1))
        writer.bytes(Bytes32(repeating: 2))
        writer.array(devices.count)
        for device in devices.sorted() {
            writer.array(2)
            writer.bytes(device)
            writer.bytes([UInt8](repeating: 3, count: 112))
        }
        writer.array(0)
        return writer.bytes
    }

    @discardableResult
    private mutating func sign(
        _ kind: MemberKind, _ payload: [UInt8], by author: Owner, on parents: [MemberRecord]
    ) throws(MembershipError) -> MemberRecord {
        let record = try MemberRecord(
            signing: payload, kind: kind.rawValue, group: group,
            lamport: 1 + (parents.map(\.lamport).max() ?? 0), parents: parents.map(\.id).sorted(),
            keys: author.keys)
        keep(record)
        return record
    }

    private mutating func keep(_ record: MemberRecord) {
        records.append(record.encoded)
        heads.removeAll { record.parents.contains($0.id) }
        heads.append(record)
    }

    private mutating func draw(_ bound: Int) -> Int {
        Int(BenchStream.next(&state) % UInt64(bound))
    }
}
