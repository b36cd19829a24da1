import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The device that is spoken with, as far as a member knows of it.
struct SabotageVictim {
    let device: DeviceID
    /// The chains that it holds.
    let rows: [ChainRow]
}

extension Saboteur {
    /// Returns what is said to a device, each list in a session of its own; of a fork between two
    /// the second list is for another device.
    func sayings(
        of kind: SabotageKind, to victim: SabotageVictim
    ) throws(MembershipError) -> [[Saying]] {
        switch kind {
        case .epochWithoutBoxes, .epochWithWrongBoxes, .manyEpochs, .criticalRecord,
            .ignoredRecords, .recordWithoutParents:
            return [[try records(of: kind)]]
        case .manyLives, .gaps, .forkBetweenTwo, .manyForks, .forkOfThePast, .anothersName:
            return chains(of: kind)
        case .waitsForNothing, .waitsInACircle, .manyParts, .missingPart, .samePart:
            return [builds(of: kind)]
        case .unreadable, .wrongKey, .unknownOperations, .badOperations, .largeRecord,
            .stampOfTheFuture, .deletions, .unknownScope:
            return [contents(of: kind)]
        case .brokenMessage: return claims(of: kind, about: victim).map { [$0] }
        case .claimsOwnChain, .claimsUnknownChains, .wantsEverything, .proofOfNothing,
            .wrongCertificate, .listingThatLies, .manyPings:
            return [claims(of: kind, about: victim)]
        }
    }

    // MARK: Membership

    private func records(of kind: SabotageKind) throws(MembershipError) -> Saying {
        var made: [[UInt8]] = []
        switch kind {
        case .epochWithoutBoxes: made.append(try epoch(boxes: []))
        case .epochWithWrongBoxes:
            made.append(try epoch(boxes: log.state.members.map(\.device)))
        case .manyEpochs:
            for _ in 0..<random.number(in: 11...40) {
                made.append(try epoch(boxes: [keys.device]))
            }
        case .criticalRecord:
            made.append(try record(kind: UInt8(random.number(in: 9...127)), [0xf6]))
        case .recordWithoutParents:
            for _ in 0..<random.number(in: 1...300) {
                let parents = [MemberRecordID(random.bytes(32)) ?? .zero]
                made.append(try record(kind: 200, [0xf6], parents: parents))
            }
        default:
            for _ in 0..<random.number(in: 1...60) {
                var payload = CBORWriter()
                payload.bytes(random.bytes(random.below(2_000)))
                made.append(
                    try record(kind: UInt8(random.number(in: 128...255)), payload.bytes))
            }
        }
        return message(of: made)
    }

    /// The message that brings records.
    func message(of records: [[UInt8]]) -> Saying {
        var writer = CBORWriter()
        writer.array(2)
        writer.bytes(log.group)
        writer.array(records.count)
        for record in records { writer.raw(record) }
        return (.memberRecords, writer.bytes)
    }

    // MARK: Chains

    private func chains(of kind: SabotageKind) -> [[Saying]] {
        let notes = scope("notes")
        var chain = life(in: notes)
        switch kind {
        case .manyLives:
            return [
                (0..<random.number(in: 20...400)).map { _ in
                    var one = life(in: notes)
                    return next(body([]), of: &one)
                }
            ]
        case .gaps:
            return [
                (0..<random.number(in: 3...200)).map { index in
                    let place = Place(seq: UInt64(5 + 2 * index), head: anyBatch())
                    return batch(body([]), chain, at: place).0
                }
            ]
        case .forkBetweenTwo:
            let first = next(body([text("a")]), of: &chain)
            var (one, other) = (chain, chain)
            return [
                [first, next(body([text("b")]), of: &one), next(body([]), of: &one)],
                [first, next(body([text("c")]), of: &other), next(body([]), of: &other)],
            ]
        case .manyForks:
            let first = next(body([]), of: &chain)
            return [
                [first]
                    + (0..<random.number(in: 2...30)).map { number in
                        batch(
                            body([text("f\(number)")]), chain,
                            at: Place(seq: 2, head: chain.place.head)
                        ).0
                    }
            ]
        case .forkOfThePast:
            guard let past else { return [] }
            var other = past
            return [[next(body([text("denied")]), of: &other)]]
        default:
            let another = log.state.members.first { $0.device != keys.device }?.device
            return [[batch(body([]), chain, at: Place(seq: 1), device: another).0]]
        }
    }

    private func anyBatch() -> BatchID { BatchID(random.bytes(32)) ?? .zero }

    // MARK: Building on others

    private func builds(of kind: SabotageKind) -> [Saying] {
        let notes = scope("notes")
        switch kind {
        case .waitsForNothing:
            let count = random.number(in: 1...100)
            let (texts, size) = random.pick([(1, 40), (1, 1_000), (15, 60_000)])
            return (0..<count).map { number in
                var chain = life(in: notes)
                let operations = (0..<texts).map { field in
                    text("w\(number)", size: size, field: UInt32(1 + field))
                }
                let plain = waiting(
                    for: author(Incarnation(random.bytes(8)) ?? .zero), operations)
                return next(plain, of: &chain)
            }
        case .waitsInACircle:
            var (one, two) = (life(in: notes), life(in: notes))
            let (first, second) = (author(one.life), author(two.life))
            return [
                next(waiting(for: second, []), of: &one), next(waiting(for: first, []), of: &two),
            ]
        case .manyParts: return parts(random.number(in: 2...30), of: nil, in: notes)
        case .missingPart:
            let count = random.number(in: 2...12)
            return (0..<random.number(in: 1...20)).flatMap { _ in
                Array(parts(count, of: nil, in: notes).dropLast())
            }
        default: return parts(random.number(in: 2...60), of: 1, in: notes)
        }
    }

    /// A commit of several parts, which bear their numbers, or all of them one number.
    private func parts(_ count: Int, of number: UInt32?, in scope: ScopeID) -> [Saying] {
        var chain = life(in: scope)
        let commit = CommitID(random.bytes(16)) ?? .zero
        let size = random.pick([10, 2_000, 60_000])
        return (1...count).map { part in
            let plain = body([text("p\(part)", size: size)]) {
                $0.commit = commit
                $0.part = number ?? UInt32(part)
                $0.parts = UInt32(count)
            }
            return next(plain, of: &chain)
        }
    }

    private func waiting(for author: AuthorID, _ operations: [Operation]) -> [UInt8] {
        let scope = scope("notes")
        let prefix = Bytes8(random.bytes(8)) ?? .zero
        return body(operations) {
            $0.authors = [author]
            $0.dependencies = [
                .init(scope: scope, heads: [.init(author: 0, seq: 1, prefix: prefix)])
            ]
        }
    }

    // MARK: Contents

    private func contents(of kind: SabotageKind) -> [Saying] {
        var chain = life(in: kind == .unknownScope ? anyScope() : scope("notes"))
        switch kind {
        case .unreadable:
            return (0..<random.number(in: 1...60)).map { _ in
                next(random.bytes(random.number(in: 0...400)), of: &chain)
            }
        case .wrongKey:
            let place = Place(seq: 1)
            return [batch(body([]), chain, at: place, isSealedRight: false).0]
        case .unknownOperations:
            return [next(body((0..<40).map { _ in anyOperation(kinds: 18...255) }), of: &chain)]
        case .badOperations:
            return (0..<10).map { _ in
                next(body((0..<100).map { _ in anyOperation(kinds: 0...17) }), of: &chain)
            }
        case .largeRecord:
            return (0..<random.number(in: 1...12)).map { number in
                let fields = (0..<16).map { index in
                    text("large", size: 60_000, field: UInt32(1_000 + 16 * number + index))
                }
                return next(body(fields), of: &chain)
            }
        case .stampOfTheFuture:
            let ceiling = Timestamp.ceiling.rawValue
            stamp = ceiling - Int64(random.below(1 << 40))
            return [next(body((0..<12).map { text("r\($0)") }), of: &chain)]
        case .deletions:
            return (0..<4).map { _ in
                next(
                    body(
                        (0..<12).map { number in
                            let isDelete = random.chance(1, in: 2)
                            return operation(
                                "r\(number)", isDelete ? 13 : 14, generation: isDelete ? 2 : 3,
                                [0x80])
                        }), of: &chain)
            }
        default: return (0..<5).map { _ in next(body([text("x")]), of: &chain) }
        }
    }

    private func anyScope() -> ScopeID { ScopeID(random.bytes(16)) ?? .zero }

    private func text(_ record: String, size: Int = 8, field: UInt32 = 1) -> Operation {
        var payload = CBORWriter()
        payload.text(String(repeating: "s", count: size))
        var made = operation(record, 1, payload.bytes)
        made.field = field
        return made
    }

    private func operation(
        _ record: String, _ kind: UInt8, generation: UInt32 = 1, _ payload: [UInt8]
    ) -> Operation {
        guard let id = RecordID(record) else { preconditionFailure("letters are legal") }
        return Operation(
            collection: HouseholdSchema.notes, record: id, generation: generation, field: 0,
            kind: kind, stampDelta: 0, payload: payload)
    }

    /// An operation of any kind on any record with a payload that fits a few kinds only. It is one
    /// item of CBOR, without which nothing of a batch is read.
    private func anyOperation(kinds: ClosedRange<Int>) -> Operation {
        let payloads: [[UInt8]] = [
            [0xf6], [0x80], [0x01], [0x20], [0x41, 0x07], [0x61, 0x61], [0xa0], [0x81, 0x80],
            [0x82, 0x01, 0x61, 0x61], [0x83, 0x00, 0x00, 0x00],
        ]
        var made = operation(
            "r\(random.below(12))", UInt8(random.number(in: kinds)),
            generation: UInt32(random.below(4)), random.pick(payloads))
        made.collection = random.pick([
            HouseholdSchema.notes, HouseholdSchema.parcels, HouseholdSchema.visits,
            HouseholdSchema.doses, HouseholdSchema.stock, 1_000, 1, 2, 99_999,
        ])
        made.field = UInt32(random.below(8))
        made.stampDelta = UInt64(random.below(3))
        return made
    }

    // MARK: Claims about others

    private func claims(of kind: SabotageKind, about victim: SabotageVictim) -> [Saying] {
        switch kind {
        case .claimsOwnChain:
            return victim.rows.filter { $0.device == victim.device }.map { row in
                (.ack, acknowledgement(scope: row.scope, [(row.chain, 1 << 62)]))
            }
        case .claimsUnknownChains:
            let chains = (0..<random.number(in: 1...2_000)).map { _ in
                (AuthorID(random.bytes(16)) ?? .zero, UInt64(random.number(in: 1...1 << 40)))
            }.sorted { $0.0 < $1.0 }
            return [(.ack, acknowledgement(scope: scope("notes"), chains))]
        case .wantsEverything: return [wants(victim.rows)]
        case .proofOfNothing: return [proof(about: victim)]
        case .wrongCertificate:
            var writer = CBORWriter()
            writer.array(2)
            writer.bool(random.chance(1, in: 2))
            writer.bytes(random.bytes(random.below(300)))
            return [(.certificate, writer.bytes)]
        case .manyPings:
            return (0..<400).map { _ in
                var writer = CBORWriter()
                writer.bytes(random.bytes(8))
                return (.ping, writer.bytes)
            }
        case .brokenMessage:
            return MessageType.allCases.map { ($0, random.bytes(random.below(80))) }
        default:
            let rows = victim.rows.map { ($0.chain, $0.stored + 1_000) }.sorted { $0.0 < $1.0 }
            return [(.ack, acknowledgement(scope: scope("notes"), rows))]
        }
    }

    /// A proof, whose signatures are none, that a device wrote two histories from here on.
    private func proof(about victim: SabotageVictim) -> Saying {
        let row = victim.rows.first { $0.device == victim.device }
        let header = row.map { row in
            BatchHeader(
                group: log.group, device: row.device, incarnation: row.incarnation,
                scope: row.scope, seq: row.stored + 1, prev: row.head,
                epoch: ring.writing?.id ?? .zero, nonce: random.bytes(24))
        }
        var writer = CBORWriter()
        writer.array(2)
        for _ in 0..<2 {
            writer.array(3)
            writer.bytes(header?.encoded ?? random.bytes(200))
            writer.bytes(random.bytes(32))
            writer.bytes(random.bytes(64))
        }
        return (.fork, writer.bytes)
    }

    private func acknowledgement(scope: ScopeID, _ chains: [(AuthorID, UInt64)]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.array(1)
        writer.array(2)
        writer.bytes(scope)
        writer.array(chains.count)
        for (chain, seq) in chains {
            writer.array(3)
            writer.bytes(chain)
            writer.unsigned(seq)
            writer.bytes(random.bytes(8))
        }
        writer.unsigned(1 << 40)
        return writer.bytes
    }

    private func wants(_ rows: [ChainRow]) -> Saying {
        var writer = CBORWriter()
        writer.array(rows.count)
        for row in rows {
            writer.array(4)
            writer.bytes(row.scope)
            writer.bytes(row.chain)
            let first = random.pick([1, row.stored, row.stored + 5])
            writer.unsigned(first)
            writer.unsigned(random.pick([first, first + 9, UInt64(Int64.max)]))
        }
        return (.need, writer.bytes)
    }
}
