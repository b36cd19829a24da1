import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// Membership records and what pairing carries them in: as they come, and signed by a member, so
/// that the signature does not keep the fuzzer out of the payloads.
func fuzz(_ input: [UInt8]) {
    if let record = try? MemberRecord(decoding: input) {
        require(record.encoded == input, "a record is kept as it came")
    }
    _ = try? Certificate(decoding: input)
    _ = try? PairWelcome(decoding: input)
    _ = try? PairDone(decoding: input)
    _ = try? PairingCounters(decoding: input)
    guard let founder, let kind = input.first else { return }
    founder.say(Array(input.dropFirst()), kind: kind)
}

/// A group of one, whose only member will sign anything.
private final class Founder: Sendable {
    let keys: DeviceKeys
    let log: MembershipLog

    init() throws(MembershipError) {
        var entropy = Entropy(seed: SecretBytes(zeroed: 32))
        keys = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
        log = try MembershipLog.founded(by: keys, entropy: &entropy)
    }

    func say(_ payload: [UInt8], kind: UInt8) {
        var log = log
        let signed = try? MemberRecord(
            signing: payload, kind: kind, group: log.group, lamport: 3,
            parents: Array(log.heads), keys: keys)
        guard let signed, case .inserted = try? log.insert(signed) else { return }
        let copy = try? MembershipLog(records: log.records.map(\.encoded))
        require(copy == log, "a log reads back")
    }
}

private let founder = try? Founder()

/// The payload, which is the last of a body's seven parts.
private func payload(of record: MemberRecord) -> [UInt8] {
    var outer = CBORReader(record.encoded)
    guard (try? outer.array(exactly: 2)) != nil, let body = try? outer.rawItem() else { return [] }
    var reader = CBORReader(body)
    guard (try? reader.array(exactly: 7)) != nil else { return [] }
    return (0..<7).reduce([]) { _, _ in (try? reader.rawItem()) ?? [] }
}

func seeds() -> [[UInt8]] {
    guard let founder else { return [] }
    let records = founder.log.records
    return records.map(\.encoded) + records.map { [$0.kind] + payload(of: $0) }
        + [(try? PairWelcome(log: founder.log).encode()) ?? []]
}
