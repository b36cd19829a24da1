import Linnet
import LinnetCRDT
import LinnetControl
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

    static let key = RecordKey(collection: 1_000, record: id("m1"))
    static let meeting = ControlMeeting(
        peers: ["a:1", "b:2"], discovers: false, timeoutMilliseconds: .max)

    /// One of every kind of request, and the ends of what each may hold.
    static var requests: [any NodeRequest] {
        var all = plainRequests
        for action in actions { all.append(CompanionRequest(action)) }
        return all
    }

    private static let plainRequests: [any NodeRequest] =
        [
            ScopesRequest(), IdentityRequest(), StatusRequest(), DigestRequest(), SchemaRequest(),
            RecordRequest(key), CompactionRequest(keptDays: 7, lapsedDays: 90),
            ListRequest(.max), RenameRequest("Küche"),
            RemovalPlanRequest("Phone"),
            RemovalRequest("Phone", reason: "lost", with: ["Tablet"], wipes: true),
            RemoteWipeRequest("Phone"), ObedienceRequest(false), IntegrityRequest(),
            IntegrityChoiceRequest(policy: nil, accepts: true), GroupIntegrityRequest("warn"),
            LeaveRequest(), RemovalsRequest(), LateWritesRequest(withDropped: true),
            LateChoiceRequest(device: "Phone", accepts: true, chain: "a-b", through: .max),
            QuestionsRequest(withAnswered: true),
            QuestionAnswerRequest(record: "abcd", isOwn: true),
            VoteRequest(record: "abcd", isFor: false), RecoveryStatusRequest(),
            RecoveryPhraseRequest(phrase: passphrase("old words"), next: nil),
            RecoveryUseRequest(phrase: passphrase("words"), lost: ["Phone"], isAll: false),
            RolePlanRequest("Phone", role: "reader"), RoleRequest("Phone", role: "admin"),
            LateChoiceRequest(device: "Phone", accepts: false, chain: "", through: nil),
            PairingOfferRequest(PairingTerms(role: "member", listen: "[::1]:0", discovers: false)),
            PairingEntryRequest(
                "123 456", of: PairingPeer(address: "127.0.0.1:4000"), PairingTerms()),
            PairingEntryRequest("123456", of: PairingPeer(screen: "abc"), PairingTerms()),
            SynchronizeRequest(meeting), LockRequest(), StopRequest(),
            ExaminationRequest(isDeep: true),
            AcknowledgementRequest(), RestatementRequest(), WarningsRequest(),
            AttachRequest(key: key, field: 2, path: "/a", name: "a", mediaType: "image/png"),
            FetchRequest(
                key: key, field: 2, path: "/a/", replaces: true,
                meeting: ControlMeeting(peers: ["a:1"], discovers: true, timeoutMilliseconds: 5)),
            BackupRequest(path: "/a/b", passphrase: nil, replaces: true),
            BackupRequest(path: "/a", passphrase: passphrase("p"), replaces: false),
            UnlockRequest(passphrase("p")), PassphraseRequest(.set(passphrase("p"))),
            PassphraseRequest(.change(from: passphrase("p"), to: passphrase("q"))),
            PassphraseRequest(.remove(passphrase("p"))), WritingRequest([]),
            WritingRequest(writes, intent: [1, 2, 3]),
            WritingRequest(changes: [Write(key, changes)]),
            PageRequest(query), PlanRequest(query), CountRequest(Query("item")), TrashRequest(7),
            FiguresRequest([.count, .sum("a"), .min("b"), .max("c"), .average("d")], query, ["e"]),
            FiguresPlanRequest(FiguresRequest([], query, [])),
            HistoryRequest(key, field: nil, limit: 5), HistoryRequest(key, field: 3, limit: .max),
            ExplanationRequest(key, field: 3), RecordObservationRequest(key),
            QueryObservationRequest(query),
            CountObservationRequest(query), ChangesRequest(), ChangesRequest(7),
            CertificateRequest(),
            CertificateCheckRequest([1, 2, 3]), AgreementsRequest(),
            CertificateExchangeRequest(meeting),
            CardRequest(scopes: nil, title: "", days: 7),
            MergeRequest(path: "/home", passphrase: nil, isPreview: true),
            CardRequest(scopes: ["meds", "log/2026-10"], title: "Ada", days: 1),
            DashboardRequest(waits: true), ConnectionsRequest(), LacksRequest(),
            MailboxesRequest(), MailboxChangeRequest(address: "folder:/a", isAdded: false),
            MailboxSyncRequest(isDry: true), MailboxTestRequest(address: "folder:/a"),
        ]

    static let actions: [CompanionAction] = [
        .status, .send([1]), .context([]), .info([2]), .complication([3]), .face(isOn: true),
        .file(path: "/a", metadata: [4]), .cancel("x"), .watch(reply: nil, directory: nil),
        .watch(reply: [5], directory: "/b"),
    ]

    static let writes: [WriteRequest] = [
        .changes(
            .set(
                collection: 1_000, record: id("a"),
                fields: [
                    FieldWrite(1, .text("A")), FieldWrite(3, members: [(1, .date(20_000))]),
                    FieldWrite(4, .null), FieldWrite(5, members: []),
                ])),
        .changes(.delete(collection: 1_000, record: id("b"))),
        .count(key, field: 2, amount: 3), .move(key, field: 5, to: .first),
        .move(key, field: 5, to: .last), .move(key, field: 5, to: .before("a")),
        .move(key, field: 5, to: .after("b")),
    ]

    static let certificate = ConvergenceCertificate(
        device: Device(id: "00", name: "Phone"), signedMilliseconds: -1, vectorDigest: "a",
        visibleDigest: "b", bytes: [1, 2, 3])

    static let letter = TextID(
        position: Position(chain: AuthorID(repeating: 7), seq: 3, index: 1), offset: 2)

    static let changes: [Change] = [
        .set(FieldWrite(1, 1)), .count(field: 2, key: "k", amount: .null),
        .recount(field: 2, 4), .add(field: 3, "x"), .remove(field: 3, "x"),
        .edit(field: 4, at: 1, deleting: .max, inserting: "é"), .rewrite(field: 4, ""),
        .edit(field: 4, at: 1, deleting: 0, inserting: "x", unit: .utf16),
        .splice(
            field: 4,
            TextSplice(
                deleting: [TextRange(start: letter, count: 2)].compactMap(\.self),
                inserting: [.init(after: nil, "a"), .init(after: letter, "b")])),
        .copy(field: 4, TextCopy.pieces(of: "é")), .insert([]),
        .insert([FieldValues(1, [.null, 2])]), .keep(field: 5, ["a", "b"]), .delete, .restore,
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
        let record = RecordView(
            collection: 7, id: Self.id("a"), fields: [FieldValues(1, [value])])
        let response = ControlResponse.answer([record])
        #expect(try ControlResponse(decoding: response.encoded) == response)
        let request = WritingRequest(changes: [Write(Self.key, [.insert(record.fields)])])
        #expect(try again(request).writes == request.writes)
    }

    private func again<Request: NodeRequest>(_ request: Request) throws -> Request {
        try #require(try Self.read(request.encoded) as? Request)
    }

    private static func read(_ bytes: [UInt8]) throws(WireError) -> any NodeRequest {
        try ControlCoding.decode(bytes) { (number, reader) throws(WireError) in
            try NodeRequests.read(number, from: &reader)
        }
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

    /// One of every kind of answer.
    static var answers: [any ControlAnswer] {
        var all = plainAnswers + listAnswers
        for outcome in outcomes {
            all.append(
                ControlReceipt(
                    commit: CommitID(repeating: 9), batches: 3, operations: 10_000,
                    repeated: true, outcome: outcome))
        }
        for pairing in pairings { all.append(pairing) }
        return all
    }

    private static let plainAnswers: [any ControlAnswer] =
        [
            ControlConnections(
                links: [
                    ControlConnections.Link(
                        device: DeviceID(repeating: 1), way: "127.0.0.1:4000",
                        sinceMilliseconds: -1, bytesReceived: .max, bytesSent: 0)
                ],
                clocks: [
                    ControlConnections.Clock(
                        device: DeviceID(repeating: 2), aheadMilliseconds: .min, isOff: true,
                        metMilliseconds: .max)
                ]),
            [
                ControlLack(
                    device: DeviceID(repeating: 3), batches: 5, opened: 4,
                    parts: [ControlLack.Part(collection: "item", records: 2)])
            ],
            ControlDashboard(url: "http://127.0.0.1:4000/open#00", lifetimeMilliseconds: 60_000),
            NoAnswer(), ControlScopes(isEverything: true, names: []),
            ControlScopes(
                isEverything: false, names: ["log/2026-10", "log/2026-11"], isInStep: false),
            ControlIdentity(
                version: "1.0", processID: 7, device: DeviceID(repeating: 1),
                fingerprint: ["one", "two"], name: "Phone", kind: "phone", group: nil, port: 80),
            UInt64.max, ControlPage([], next: "place"), QueryPlan.scan, QueryPlan.identifiers,
            QueryPlan.index(field: "name", .blind, .exact), certificate,
            Explanation(
                field: "f", value: nil, rule: "r", winners: [entry(.shows)], others: [],
                holders: [
                    .init(device: Device(id: "00", name: ""), holding: .holds),
                    .init(device: Device(id: "01", name: "W"), holding: .unknown),
                ], waiting: ["w"]),
            status,
            ControlDigest(
                digest: Bytes32(repeating: 3),
                vector: [
                    .init(
                        scope: ScopeID(repeating: 4), device: DeviceID(repeating: 5),
                        incarnation: Incarnation(repeating: 6), sequence: .max,
                        head: BatchID(repeating: 7))
                ]), ControlSchema("{}"), CompanionLine("{}"),
            ControlSynced([DeviceID(repeating: 1), DeviceID(repeating: 2)]),
            ControlCard([1, 2, 3]),
        ]

    private static let listAnswers: [any ControlAnswer] = [
        fates.map(entry), [ConvergenceAgreement(own: certificate, theirs: certificate)],
        [ControlChanged(key, nil), ControlChanged(key, record)], [RecordView](), [record],
        [FigureGroup(by: [.null, "a"], figures: [Figure(1), Figure(.null, isExact: false)])],
        [
            ControlTrash(
                record: record, deletedMilliseconds: 4, device: nil, deviceName: "",
                editedAfter: [1, 2])
        ], [HealthFinding("clock", .unchecked, "text", remedy: "Mend it.")],
        [
            ControlWarning(
                kind: "fork", text: "a", logText: "b", remedy: nil, device: nil, count: 2,
                wallMilliseconds: 9, isKept: true)
        ],
    ]

    static let pairings: [ControlPairing] = [
        .offered(
            PairingSight(
                code: "123456", uri: "linnet:1?d=x", listen: "127.0.0.1:9", instance: "i",
                lifetimeMilliseconds: 120_000)),
        .newcomer(name: "N", kind: "laptop", fingerprint: ["a", "b"]),
        .wrongCode(triesLeft: 2), .paired(device: DeviceID(repeating: 8), name: "N"),
    ]

    static let record = RecordView(
        collection: 1, id: id("b"), fields: [FieldValues(8, [true]), FieldValues(9, [1, .null])],
        conflicts: [3], isCollision: true, standing: .hidden)

    static let status = ControlStatus(
        members: [
            .init(
                device: DeviceID(repeating: 2), name: "Watch", kind: "watch", role: "admin",
                isSelf: false, isConnected: true, lastHeardMilliseconds: -5, behindBatches: 3,
                agreedMilliseconds: 7,
                amounts: .init(
                    recordsToday: 1, batchesToday: 2, bytesToday: 3, batchesHeld: 4, bytesHeld: 5))
        ], isRunning: true, port: nil, discovery: "searching", waiting: ["one batch"],
        warnings: [], batches: 5, batchBytes: 6_000,
        companionLink: CompanionLinkStatus(
            side: "watch", isPresent: true, isReachable: false,
            traffic: CompanionTraffic(
                sent: .init(frames: 1, bytes: 2, wakes: 3),
                received: .init(frames: 4, bytes: 5, wakes: 6))),
        recovery: ControlRecovery(
            isPossible: true, isMakerHere: false, madeMilliseconds: 7, testedMilliseconds: nil,
            opensDoors: true, isTestDue: true))

    @Test func `every kind of request has a number of its own and is tried here`() {
        let numbers = NodeRequests.all.map { $0.number }
        #expect(Set(numbers).count == numbers.count)
        #expect(Set(Self.requests.map { type(of: $0).number }) == Set(numbers))
        // What is said to a request under way, and numbers that version 4 used.
        #expect(Set(numbers).isDisjoint(with: [9, 10, 18] + Array(0...12)))
    }

    @Test func `a request survives the journey`() throws {
        for request in Self.requests {
            let other = try Self.read(request.encoded)
            #expect(type(of: other) == type(of: request))
            #expect(other.encoded == request.encoded)
        }
        let written = WritingRequest(Self.writes, intent: [1, 2, 3])
        #expect(try again(written).writes == written.writes)
        #expect(try again(written).intent == written.intent)
        let changed = WritingRequest(changes: [Write(Self.key, Self.changes)])
        #expect(try again(changed).writes == changed.writes)
        #expect(try again(PageRequest(Self.query)).query == Self.query)
        for action in Self.actions {
            #expect(try again(CompanionRequest(action)).action == action)
        }
    }

    @Test func `what is said to a request under way survives the journey`() throws {
        for reply in [ControlReply.more, .cancel, .decide(accept: true), .decide(accept: false)] {
            let other = try ControlCoding.decode(reply.encoded) {
                (number, reader) throws(WireError) in try ControlReply(number, from: &reader)
            }
            #expect(other == reply)
        }
    }

    @Test func `an answer survives the journey`() throws {
        func check<Answer: ControlAnswer>(_ answer: Answer) throws {
            for response in [
                ControlResponse.answer(answer), .done,
                .progress(ControlProgress(done: 5, of: .max)),
                .progress(ControlProgress(done: 0, of: 0, found: 7)),
                .failed(ControlFailure(.unreachable, "nobody there")),
            ] {
                #expect(try ControlResponse(decoding: response.encoded) == response)
            }
        }
        for answer in Self.answers { try check(answer) }
    }

    @Test func `every kind of answer has a number of its own`() {
        func answer<Request: NodeRequest>(_: Request.Type) -> any ControlAnswer.Type {
            Request.Answer.self
        }
        let kinds = NodeRequests.all.map { answer($0) }
        let different = Set(kinds.map { ObjectIdentifier($0) })
        #expect(Set(kinds.map { $0.number }).count == different.count)
    }

    @Test func `an answer of another kind is refused`() {
        let bytes = ControlResponse.answer(Self.status).encoded
        #expect(throws: WireError.unexpectedType) {
            try ControlResponse<ControlDigest>(decoding: bytes)
        }
    }

    @Test func `cut, lengthened and alien messages are refused`() {
        func check<Answer: ControlAnswer>(_ answer: Answer) {
            let bytes = ControlResponse.answer(answer).encoded
            for count in 0..<bytes.count {
                #expect(throws: WireError.self) {
                    try ControlResponse<Answer>(decoding: Array(bytes[..<count]))
                }
            }
        }
        for answer in Self.answers { check(answer) }
        for bytes in Self.requests.map({ $0.encoded }) {
            for count in 0..<bytes.count {
                #expect(throws: WireError.self) { try Self.read(Array(bytes[..<count])) }
            }
            #expect(throws: WireError.self) { try Self.read(bytes + [0]) }
        }
    }

    @Test func `a message of another version is refused`() {
        var bytes = StatusRequest().encoded
        bytes[1] = 4
        #expect(throws: WireError.unexpectedType) { try Self.read(bytes) }
    }

    @Test func `flipped bits never trap`() {
        for request in Self.requests {
            let whole = request.encoded
            for bit in 0..<(whole.count * 8) {
                var bytes = whole
                bytes[bit / 8] ^= 1 << (bit % 8)
                // Some flips give another legal request; those must survive the journey too.
                if let other = try? Self.read(bytes) {
                    #expect((try? Self.read(other.encoded))?.encoded == other.encoded)
                }
            }
        }
    }

    @Test func `an import of ten thousand lines fits`() throws {
        let writes = (0..<10_000).map { number in
            Write.set(
                collection: 1_000, record: Self.id("medicine-\(number)"),
                fields: (1...8).map { FieldWrite($0, .text("value \(number)")) })
        }
        let request = WritingRequest(changes: writes)
        #expect(request.encoded.count < 6 << 20)
        #expect(try again(request).writes == request.writes)
    }
}
