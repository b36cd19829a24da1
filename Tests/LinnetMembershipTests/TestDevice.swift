import LinnetCrypto
import LinnetMembership
import LinnetWire

/// Randomness that a number names.
func entropy(_ seed: UInt64) -> Entropy {
    var bytes = [UInt8](repeating: 0, count: 24)
    BigEndian.append(seed, to: &bytes)
    return Entropy(seed: SecretBytes(copying: bytes))
}

/// A device with keys, in shared ownership so that tests can keep several.
final class TestDevice: Sendable {
    let keys: DeviceKeys

    init(_ number: UInt64) {
        var entropy = entropy(1_000 + number)
        keys = DeviceKeys(createdMilliseconds: Int64(number), entropy: &entropy)
    }

    var device: DeviceID { keys.device }
    var certificate: Certificate { keys.certificate }

    func ring(_ log: MembershipLog) -> KeyRing {
        KeyRing(log: log, keys: keys)
    }

    func found(seed: UInt64 = 0) throws -> MembershipLog {
        var entropy = entropy(seed)
        return try MembershipLog.founded(by: keys, entropy: &entropy)
    }

    func add(
        _ other: TestDevice, role: Role = .admin, to log: MembershipLog, seed: UInt64 = 0
    ) throws -> MemberRecord {
        var entropy = entropy(seed)
        return try log.makeAdd(
            other.certificate, role: role, ring: ring(log), keys: keys, entropy: &entropy)
    }

    func epoch(in log: MembershipLog, seed: UInt64 = 0) throws -> MemberRecord {
        var entropy = entropy(seed)
        return try log.makeEpoch(ring: ring(log), keys: keys, entropy: &entropy)
    }

    /// The content of a dishonest epoch.
    struct Forgery {
        var boxes: [DeviceID: Int]
        var bad: [EpochID] = []

        /// Boxes of so many bytes, whose contents make no sense.
        static func sealing(_ boxes: [DeviceID: Int], bad: [EpochID] = []) -> Forgery {
            Forgery(boxes: boxes, bad: bad)
        }

        /// Boxes for some devices.
        static func random(_ devices: [TestDevice], seed: UInt64) -> Forgery {
            var entropy = entropy(seed)
            var boxes: [DeviceID: Int] = [:]
            for device in devices where entropy.uniform(below: 4) > 0 {
                boxes[device.device] = entropy.uniform(below: 4) == 0 ? 80 : 112
            }
            return .sealing(boxes)
        }
    }

    /// An epoch that is well formed and holds no keys.
    func forgedEpoch(
        in log: MembershipLog, number: UInt64, _ forgery: Forgery = .sealing([:]),
        parents: [MemberRecordID]? = nil
    ) throws -> MemberRecord {
        var writer = CBORWriter()
        writer.array(forgery.bad.isEmpty ? 5 : 6)
        writer.unsigned(number)
        writer.bytes(Bytes32(repeating: 1))
        writer.bytes(Bytes32(repeating: 2))
        writer.array(forgery.boxes.count)
        for (device, bytes) in forgery.boxes.sorted(by: { $0.key < $1.key }) {
            writer.array(2)
            writer.bytes(device)
            writer.bytes([UInt8](repeating: 3, count: bytes))
        }
        writer.array(0)
        if !forgery.bad.isEmpty {
            writer.array(forgery.bad.count)
            for epoch in forgery.bad.sorted() { writer.bytes(epoch) }
        }
        return try record(kind: 4, payload: writer.bytes, in: log, parents: parents)
    }

    /// A record of any kind and payload, well signed and well linked to all heads of `log`.
    func record(
        kind: UInt8, payload: [UInt8] = [0xf6], in log: MembershipLog,
        parents: [MemberRecordID]? = nil, lamport: UInt64? = nil
    ) throws -> MemberRecord {
        let parents = parents ?? log.heads.elements
        let latest = parents.compactMap { log.record($0)?.lamport }.max() ?? 0
        return try MemberRecord(
            signing: payload, kind: kind, group: log.group, lamport: lamport ?? latest + 1,
            parents: parents, keys: keys)
    }
}

extension MembershipLog {
    /// Inserts records that are expected to be welcome at once.
    mutating func insertAll(_ records: MemberRecord...) throws {
        for record in records { _ = try insert(record) }
    }

    /// The log with one more record.
    func inserting(_ records: MemberRecord...) throws -> MembershipLog {
        var log = self
        for record in records { _ = try log.insert(record) }
        return log
    }
}

/// A group of `count` devices, all admins, the first being the founder.
func group(of count: Int) throws -> (log: MembershipLog, devices: [TestDevice]) {
    let devices = (0..<count).map { TestDevice(UInt64($0)) }
    var log = try devices[0].found()
    for device in devices.dropFirst() {
        try log.insertAll(devices[0].add(device, to: log))
    }
    return (log, devices)
}

/// A reproducible shuffle.
func shuffled<Element>(_ elements: [Element], seed: UInt64) -> [Element] {
    var entropy = entropy(seed)
    var result = elements
    for index in result.indices.dropFirst() {
        result.swapAt(index, Int(entropy.uniform(below: UInt32(index + 1))))
    }
    return result
}

/// The error that `body` throws, nil if it throws none of this module's.
func membershipError(_ body: () throws -> Void) -> MembershipError? {
    do {
        try body()
        return nil
    } catch {
        return error as? MembershipError
    }
}
