import LinnetCRDT
import LinnetCrypto
import LinnetWire

@testable import LinnetMembership

/// Membership records and what pairing carries them in: as they come, and signed by an admin, a
/// reader or the recovery key, so that the signature does not keep the fuzzer out of the payloads
/// and of what they come to.
func fuzz(_ input: [UInt8]) {
    if let record = try? MemberRecord(decoding: input) {
        require(record.encoded == input, "a record is kept as it came")
    }
    _ = try? Certificate(decoding: input)
    _ = try? PairWelcome(decoding: input)
    _ = try? PairDone(decoding: input)
    _ = try? PairingCounters(decoding: input)
    guard let signers, input.count > 2 else { return }
    signers.say(Array(input.dropFirst(2)), kind: input[0], how: input[1])
}

/// A small group whose devices will sign anything.
private final class Signers: Sendable {
    let founder: DeviceKeys
    let reader: DeviceKeys
    let recovery: DeviceKeys
    let stranger: Certificate
    let log: MembershipLog

    init() throws(MembershipError) {
        var entropy = Entropy(seed: SecretBytes(zeroed: 32))
        founder = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
        reader = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        recovery = DeviceKeys(createdMilliseconds: 2, entropy: &entropy)
        stranger = DeviceKeys(createdMilliseconds: 3, entropy: &entropy).certificate
        var log = try MembershipLog.founded(
            by: founder, recovery: recovery.certificate, entropy: &entropy)
        let ring = KeyRing(log: log, keys: founder)
        let add = try log.makeAdd(
            reader.certificate, role: .reader, ring: ring, keys: founder, entropy: &entropy)
        _ = try log.insert(add)
        self.log = log
    }

    /// Signs a payload; `how` chooses the signer, and heads or the genesis to follow.
    func say(_ payload: [UInt8], kind: UInt8, how: UInt8) {
        let parents = how & 4 == 0 ? log.heads.elements : [log.group]
        switch how & 3 {
        case 0, 3: take(payload, kind, parents, founder)
        case 1: take(payload, kind, parents, reader)
        default: take(payload, kind, parents, recovery)
        }
    }

    private func take(
        _ payload: [UInt8], _ kind: UInt8, _ parents: [MemberRecordID],
        _ keys: borrowing DeviceKeys
    ) {
        var log = log
        let lamport = 1 + (parents.compactMap { log.record($0)?.lamport }.max() ?? 0)
        let signed = try? MemberRecord(
            signing: payload, kind: kind, group: log.group, lamport: lamport,
            parents: parents, keys: keys)
        guard let signed, case .inserted = try? log.insert(signed) else { return }
        if signed.payload.kind != nil {
            require(signed.payload.encoded == payload, "a payload has one form")
        }
        let copy = try? MembershipLog(records: log.records.map(\.encoded))
        require(copy == log, "a log reads back")
        require(copy?.state == log.state, "the order of arrival changes nothing")
        judge(log)
    }

    /// Asks all that a device asks of its log.
    private func judge(_ log: MembershipLog) {
        let removals = Removals(log).withRoles
        require(removals.count <= log.records.count, "each removal is a record")
        _ = Duties(log).vote(of: reader.device)
        _ = Duties(log).closing(by: founder.device)
        _ = GroupQuestions(log).all(for: reader.device)
        _ = Receipts(log).due(from: reader.device, obeying: true)
        _ = Wipes(log).order(to: reader.device)
        var entropy = Entropy(seed: SecretBytes(zeroed: 32))
        let ring = KeyRing(log: log, keys: founder)
        _ = ring.rotationTurn(of: founder.device, in: log)
        _ = try? EpochShares(log).due(
            ring: KeyRing(log: log, keys: reader), keys: reader, entropy: &entropy)
        guard let epoch = try? log.makeEpoch(ring: ring, keys: founder, entropy: &entropy) else {
            return
        }
        var next = log
        require((try? next.insert(epoch)) != nil, "a device stores what it signs itself")
    }
}

private let signers = try? Signers()

/// A payload of each kind.
private func payloads(_ signers: Signers) -> [(UInt8, [UInt8])] {
    let log = signers.log
    let (reader, founder) = (signers.reader.device, signers.founder.device)
    let head = BatchHead(
        incarnation: .zero, scope: .zero, sequence: 1, batch: Bytes32(repeating: 1))
    let epoch = log.records.compactMap(\.payload.epoch).last
    let remove = RemovePayload(
        device: reader, reason: 0, with: [.init(device: signers.stranger.device, heads: [head])],
        heads: [head],
        epoch: epoch.map {
            EpochPayload(
                number: $0.number + 1, networkCommitment: $0.networkCommitment,
                dataCommitment: $0.dataCommitment, boxes: $0.boxes, wrapped: $0.wrapped)
        })
    let scopes = ScopeGrant.some([Bytes16(repeating: 1), Bytes16(repeating: 2)])
    let box = [UInt8](repeating: 5, count: 176)
    let made: [MemberPayload] = [
        .add(
            AddPayload(
                certificate: signers.stranger, role: .relay, epoch: .zero,
                box: [UInt8](repeating: 0, count: 80))),
        .remove(remove),
        .remove(RemovePayload(device: founder, reason: 3, with: [], heads: [head], epoch: nil)),
        .role(RolePayload(device: reader, role: .member, scopes: scopes)),
        .role(RolePayload(device: reader, role: .relay, heads: [head])),
        .vote(VotePayload(isFor: false, record: log.group)),
        .extend(ExtendPayload(device: reader, heads: [head])),
        .share(SharePayload(epoch: log.heads.elements[0], device: reader, box: box)),
        .recovery(signers.stranger), .recovery(signers.reader.certificate),
    ]
    return log.records.map { ($0.kind, $0.content ?? []) }
        + made.compactMap { payload in payload.kind.map { ($0.rawValue, payload.encoded) } }
        + [
            (
                WipePayload.kind,
                WipePayload(
                    device: reader, removal: log.group, wallMilliseconds: 5
                ).encoded
            ),
            (ReceiptPayload.kind, ReceiptPayload(record: log.group, wallMilliseconds: 5).encoded),
            (9, [0xf6]),
        ]
}

func seeds() -> [[UInt8]] {
    guard let signers else { return [] }
    let signed = payloads(signers).flatMap { kind, payload in
        (0..<6 as Range<UInt8>).map { [kind, $0] + payload }
    }
    return signers.log.records.map(\.encoded) + signed
        + [(try? PairWelcome(log: signers.log).encode()) ?? []]
}
