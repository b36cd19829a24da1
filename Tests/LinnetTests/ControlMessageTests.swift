import Linnet
import LinnetCRDT
import LinnetReplication
import LinnetWire
import Testing

struct ControlMessageTests {
    static func id(_ text: String) -> RecordID {
        guard let id = RecordID(text) else { preconditionFailure("a bad identifier in a test") }
        return id
    }

    static func passphrase(_ text: String) -> Passphrase {
        guard let passphrase = Passphrase(text) else { preconditionFailure("a bad passphrase") }
        return passphrase
    }

    static let requests: [ControlRequest] = [
        .scopes, .identify, .status, .digest, .cancel, .decide(accept: true),
        .decide(accept: false),
        .get(collection: 1_000, record: id("m1")), .list(collection: .max),
        .rename("Küche"),
        .offerPairing(PairingTerms(isAdmin: false, listen: "[::1]:0", discovers: false)),
        .typePairing(
            secret: "123 456", whose: PairingPeer(address: "127.0.0.1:4000"), PairingTerms()),
        .typePairing(secret: "123456", whose: PairingPeer(screen: "abc"), PairingTerms()),
        .synchronize(peers: ["a:1", "b:2"], discovers: false, timeoutMilliseconds: .max),
        .device(.lock), .device(.stop), .device(.examine(isDeep: true)), .device(.acknowledge),
        .device(.untold),
        .device(.backUp(path: "/a/b", passphrase: nil, replaces: true)),
        .device(.backUp(path: "/a", passphrase: passphrase("p"), replaces: false)),
        .device(.unlock(passphrase("p"))), .device(.changePassphrase(.set(passphrase("p")))),
        .device(.changePassphrase(.change(from: passphrase("p"), to: passphrase("q")))),
        .device(.changePassphrase(.remove(passphrase("p")))),
        .write([], intent: nil),
        .write(
            [
                .set(
                    collection: 1_000, record: id("a"),
                    [
                        ControlField(field: 1, value: .text("A")),
                        ControlField(
                            field: 3, member: 1, value: .date(20_000)),
                        ControlField(field: 4, value: .null),
                    ]),
                .delete(collection: 1_000, record: id("b")),
            ], intent: [1, 2, 3]),
        .write([ControlWrite(collection: 2_000, record: id("c"), changes)], intent: nil),
        .query(query), .plan(query), .count(Query("item")), .trash(collection: 7),
        .history(collection: 7, record: id("a"), field: nil, limit: 5),
        .history(collection: 7, record: id("a"), field: 3, limit: .max),
        .why(collection: 7, record: id("a"), field: 3),
        .observe(.record(collection: 7, record: id("a"))), .observe(.query(query)),
        .observe(.count(query)), .observe(.changes(collection: nil)),
        .observe(.changes(collection: 7)), .more, .certification(.own),
        .certification(.check([1, 2, 3])), .certification(.kept),
        .certification(.exchange(peers: ["a:1"], discovers: true, timeoutMilliseconds: .max)),
    ]

    static let certificate = ConvergenceCertificate(
        device: Device(id: "00", name: "Phone"), signedMilliseconds: -1, vectorDigest: "a",
        visibleDigest: "b", bytes: [1, 2, 3])

    static let changes: [ControlChange] = [
        .set([ControlField(field: 1, value: 1)]), .count(field: 2, key: nil, amount: 3),
        .count(field: 2, key: "k", amount: .null), .recount(field: 2, 4), .add(field: 3, "x"),
        .remove(field: 3, "x"), .edit(field: 4, at: 1, deleting: .max, inserting: "é"),
        .rewrite(field: 4, ""), .copy(field: 4, "é"), .insert([]), .delete, .restore,
        .move(field: 5, to: .first),
        .move(field: 5, to: .last), .move(field: 5, to: .before("a")),
        .move(field: 5, to: .after("b")),
    ]

    /// Values that no payload holds: long ones, and those that no store takes.
    static let values: [Value] = [
        .text(String(repeating: "é", count: 100_000)), .bytes([UInt8](repeating: 7, count: 90_000)),
        .list((0..<70_000).map { .int($0) }), .double(.infinity), .date(.max), .instant(.min),
        .list([.list([.list([.list([.list([.null])])])])]), .decimal(.zero), .bool(false),
    ]

    @Test(arguments: values) func `a value of any size and form arrives as it was sent`(
        value: Value
    ) throws {
        let record = ControlRecord(id: Self.id("a"), values: [ControlField(field: 1, value: value)])
        let response = ControlResponse.records([record])
        #expect(try ControlResponse(decoding: response.encoded) == response)
        let write = ControlWrite.set(collection: 7, record: Self.id("a"), record.values)
        let request = ControlRequest.write([write], intent: nil)
        #expect(try ControlRequest(decoding: request.encoded) == request)
    }

    static let query = Query(
        "item",
        where: FieldName("a") < 3 && (FieldName("b").isNull || !(FieldName("c") == "x"))
            && .any([]),
        sort: [SortKey("a"), SortKey("b", descending: true)], offset: 3, limit: 9,
        showsDetached: true)

    static func entry(_ fate: HistoryEntry.Fate) -> HistoryEntry {
        HistoryEntry(
            id: "x/1/2", field: "name", action: .count, value: ["a", 1], key: "k",
            device: Device(id: "00", name: "Phone"), writtenMilliseconds: -1,
            stampMilliseconds: 5, fate: fate)
    }

    static let fates: [HistoryEntry.Fate] = [
        .shows, .lost(to: nil), .lost(to: "y"), .deleted, .quarantined("why"), .unknown,
        .waiting("for"),
    ]

    static let outcomes: [WriteOutcome] = [
        .visible, .unchanged, .unknown,
        .hidden(
            [
                HiddenWrite(collection: "item", id: "a", field: "name", reason: .ceiling),
                HiddenWrite(collection: "item", id: "b", field: nil, reason: .lastGeneration),
            ], count: 3),
    ]

    static let responses: [ControlResponse] =
        [
            .done, .failed(ControlFailure(.unreachable, "nobody there")),
            .scopes(ControlScopes(isEverything: true, names: [])),
            .scopes(
                ControlScopes(
                    isEverything: false, names: ["log/2026-10", "log/2026-11"], isInStep: false)),
            .identity(
                ControlIdentity(
                    version: "1.0", processID: 7, device: DeviceID(repeating: 1),
                    fingerprint: ["one", "two"], name: "Phone", kind: "phone", group: nil, port: 80)
            ),
            .receipt(
                ControlReceipt(
                    commit: CommitID(repeating: 9), batches: 3, operations: 10_000, repeated: true,
                    outcome: .unknown)),
        ]
        + outcomes.map { outcome in
            .receipt(
                ControlReceipt(
                    commit: CommitID(repeating: 9), batches: 0, operations: 0, repeated: false,
                    outcome: outcome))
        } + [
            .count(.max), .next("place"), .plan(.scan), .plan(.identifiers),
            .plan(.index(field: "name", .blind, .exact)), .history(fates.map(entry)),
            .certificate(certificate),
            .agreements([ConvergenceAgreement(own: certificate, theirs: certificate)]),
            .explanation(
                Explanation(
                    field: "f", value: nil, rule: "r", winners: [entry(.shows)], others: [],
                    holders: [
                        .init(device: Device(id: "00", name: ""), holding: .holds),
                        .init(device: Device(id: "01", name: "W"), holding: .unknown),
                    ], waiting: ["w"])),
            .changed([
                ControlChanged(collection: 1, id: id("a"), record: nil),
                ControlChanged(
                    collection: 1, id: id("b"),
                    record: ControlRecord(
                        id: id("b"), values: [], conflicts: [3], isCollision: true,
                        standing: .hidden)),
            ]),
            .trash([
                ControlTrash(
                    record: ControlRecord(id: id("b"), values: []), deletedMilliseconds: 4,
                    device: nil, deviceName: "", editedAfter: [1, 2])
            ]),
            .records([]),
            .records([
                ControlRecord(id: id("x"), values: [ControlField(field: 8, value: .bool(true))])
            ]),
            .status(
                ControlStatus(
                    members: [
                        .init(
                            device: DeviceID(repeating: 2), name: "Watch", kind: "watch",
                            role: "admin", isSelf: false, isConnected: true,
                            lastHeardMilliseconds: -5, behindBatches: 3,
                            agreedMilliseconds: 7)
                    ], isNewcomer: true, isRunning: true, port: nil, discovery: "searching",
                    waiting: ["one batch"], warnings: [], batches: 5, batchBytes: 6_000,
                    companionLink: CompanionLinkStatus(
                        side: "watch", isPresent: true, isReachable: false,
                        traffic: CompanionTraffic(
                            sent: .init(frames: 1, bytes: 2, wakes: 3),
                            received: .init(frames: 4, bytes: 5, wakes: 6))))),
            .digest(
                ControlDigest(
                    digest: Bytes32(repeating: 3),
                    vector: [
                        .init(
                            scope: ScopeID(repeating: 4), device: DeviceID(repeating: 5),
                            incarnation: Incarnation(repeating: 6), sequence: .max,
                            head: BatchID(repeating: 7))
                    ])),
            .pairing(
                .offered(
                    PairingSight(
                        code: "123456", uri: "linnet:1?d=x", listen: "127.0.0.1:9", instance: "i",
                        lifetimeMilliseconds: 120_000))),
            .pairing(.newcomer(name: "N", kind: "laptop", fingerprint: ["a", "b"])),
            .pairing(.wrongCode(triesLeft: 2)),
            .pairing(.paired(device: DeviceID(repeating: 8), name: "N")),
            .progress(done: 5, total: .max), .found(7),
            .synced(devices: [DeviceID(repeating: 1), DeviceID(repeating: 2)]),
        ]

    @Test(arguments: requests) func `a request survives the journey`(request: ControlRequest) throws
    {
        #expect(try ControlRequest(decoding: request.encoded) == request)
    }

    @Test(arguments: responses)
    func `a response survives the journey`(response: ControlResponse) throws {
        #expect(try ControlResponse(decoding: response.encoded) == response)
    }

    @Test func `cut, lengthened and alien messages are refused`() {
        for bytes in Self.requests.map(\.encoded) {
            for count in 0..<bytes.count {
                #expect(throws: WireError.self) {
                    try ControlRequest(decoding: Array(bytes[..<count]))
                }
            }
            #expect(throws: WireError.self) { try ControlRequest(decoding: bytes + [0]) }
        }
        for bytes in Self.responses.map(\.encoded) {
            for count in 0..<bytes.count {
                #expect(throws: WireError.self) {
                    try ControlResponse(decoding: Array(bytes[..<count]))
                }
            }
        }
    }

    @Test func `a message of another version is refused`() {
        var bytes = ControlRequest.status.encoded
        bytes[1] = 1
        #expect(throws: WireError.unexpectedType) { try ControlRequest(decoding: bytes) }
    }

    @Test func `flipped bits never trap`() {
        for request in Self.requests {
            for bit in 0..<(request.encoded.count * 8) {
                var bytes = request.encoded
                bytes[bit / 8] ^= 1 << (bit % 8)
                // Some flips give another legal request; those must survive the journey too.
                if let other = try? ControlRequest(decoding: bytes) {
                    #expect((try? ControlRequest(decoding: other.encoded)) == other)
                }
            }
        }
    }

    @Test func `an import of ten thousand lines fits`() throws {
        let writes = (0..<10_000).map { number in
            ControlWrite.set(
                collection: 1_000, record: Self.id("medicine-\(number)"),
                (1...8).map { ControlField(field: $0, value: .text("value \(number)")) })
        }
        let request = ControlRequest.write(writes, intent: nil)
        let bytes = request.encoded
        #expect(bytes.count < 6 << 20)
        #expect(try ControlRequest(decoding: bytes) == request)
    }
}
