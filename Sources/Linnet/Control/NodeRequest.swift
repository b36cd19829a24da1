package import LinnetControl
package import LinnetWire

/// A request together with how a node carries it out.
package protocol NodeRequest: ControlRequest {
    /// The error that stops it.
    associatedtype Failure: Error = LinnetError
    /// True for what a person does, as against a look at the state and a view that goes on.
    static var isUse: Bool { get }
    /// Carries the request out and answers it.
    func carryOut(_ answers: Answers<Answer>) async throws(Failure)
    /// Returns the failure that the command is told.
    static func failure(_ error: Failure) -> ControlFailure
}

extension NodeRequest {
    /// True: most requests are a person's.
    package static var isUse: Bool { true }
}

extension NodeRequest where Failure == LinnetError {
    package static func failure(_ error: LinnetError) -> ControlFailure { ControlFailure(error) }
}

/// The way from a request that is carried out back to its command, for answers of its kind alone.
package struct Answers<Answer: ControlAnswer>: Sendable {
    let session: ControlSession
    private let say: @Sendable (ControlResponse<Answer>) -> Void

    init(_ session: ControlSession, _ say: @escaping @Sendable (ControlResponse<Answer>) -> Void) {
        self.session = session
        self.say = say
    }

    var node: Node { session.node }
    /// True when the node was started by `run`.
    var isServing: Bool { session.isServing }

    func callAsFunction(_ answer: Answer) { say(.answer(answer)) }

    func progress(done: some BinaryInteger, of total: some BinaryInteger) {
        say(.progress(ControlProgress(done: Int(clamping: done), of: Int(clamping: total))))
    }

    /// Tells the command how far something is that takes one call of the node.
    var telling: @Sendable (Int, Int) -> Void {
        let say = say
        return { say(.progress(ControlProgress(done: $0, of: $1))) }
    }

    /// Tells the command how far reading is, and how much it will have to show.
    var tellingRead: @Sendable (Int, Int, Int) -> Void {
        let say = say
        return { say(.progress(ControlProgress(done: $0, of: $1, found: $2))) }
    }
}

/// The requests that a node takes.
package enum NodeRequests {
    /// All of them.
    package static let all: [any NodeRequest.Type] = [
        IdentityRequest.self, StatusRequest.self, DigestRequest.self, ScopesRequest.self,
        SchemaRequest.self,
        RenameRequest.self, SynchronizeRequest.self, CompanionRequest.self, CertificateRequest.self,
        CertificateCheckRequest.self, AgreementsRequest.self, CertificateExchangeRequest.self,
        PairingOfferRequest.self,
        PairingEntryRequest.self, WritingRequest.self, RecordRequest.self, ListRequest.self,
        PageRequest.self,
        PlanRequest.self, CountRequest.self, FiguresRequest.self, FiguresPlanRequest.self,
        TrashRequest.self, HistoryRequest.self,
        ExplanationRequest.self,
        RecordObservationRequest.self, QueryObservationRequest.self, CountObservationRequest.self,
        ChangesRequest.self,
        LockRequest.self, UnlockRequest.self, PassphraseRequest.self, BackupRequest.self,
        ExaminationRequest.self, AcknowledgementRequest.self, WarningsRequest.self,
        StopRequest.self, RestatementRequest.self, RemovalPlanRequest.self, RemovalRequest.self,
        LeaveRequest.self, RemovalsRequest.self, LateWritesRequest.self, LateChoiceRequest.self,
        RolePlanRequest.self, RoleRequest.self, VoteRequest.self, RecoveryStatusRequest.self,
        RecoveryPhraseRequest.self, RecoveryUseRequest.self, IntegrityRequest.self,
        IntegrityChoiceRequest.self, GroupIntegrityRequest.self, RemoteWipeRequest.self,
        ObedienceRequest.self, QuestionsRequest.self, QuestionAnswerRequest.self,
        CardRequest.self, MergeRequest.self, DashboardRequest.self,
        ConnectionsRequest.self, LacksRequest.self, AttachRequest.self, FetchRequest.self,
        MailboxesRequest.self, MailboxChangeRequest.self, MailboxSyncRequest.self,
        MailboxTestRequest.self, CompactionRequest.self,
    ]

    /// Reads the request that a number stands for.
    package static func read(
        _ number: UInt64, from reader: inout CBORReader
    ) throws(WireError) -> any NodeRequest {
        guard let type = all.first(where: { $0.number == number }) else { throw .unexpectedType }
        return try read(type, from: &reader)
    }

    private static func read<Request: NodeRequest>(
        _ type: Request.Type, from reader: inout CBORReader
    ) throws(WireError) -> any NodeRequest {
        try type.read(from: &reader)
    }
}
