package import LinnetControl

// A node answers what is asked of it and of its group.

extension IdentityRequest: NodeRequest {
    /// False: it only looks at the state.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<ControlIdentity>) async throws(LinnetError) {
        answers(try await answers.node.controlIdentity())
    }
}

extension StatusRequest: NodeRequest {
    /// False: it only looks at the state.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<ControlStatus>) async throws(LinnetError) {
        answers(try await answers.node.controlStatus(isServing: answers.isServing))
    }
}

extension ConnectionsRequest: NodeRequest {
    /// False: it only looks at the state.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<ControlConnections>) async throws(LinnetError) {
        answers(try await answers.node.controlConnections())
    }
}

extension LacksRequest: NodeRequest {
    /// False: it only looks at the state.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<[ControlLack]>) async throws(LinnetError) {
        answers(try await answers.node.controlLacks())
    }
}

extension DigestRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlDigest>) async throws(LinnetError) {
        answers(try await answers.node.controlDigest(isWhole: isWhole))
    }
}

extension ScopesRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlScopes>) async throws(LinnetError) {
        answers(try await answers.node.controlScopes())
    }
}

extension SchemaRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlSchema>) async throws(LinnetError) {
        let node = answers.node
        answers(ControlSchema(node.awaitsSchema ? "" : node.schemaFile.text))
    }
}

extension RenameRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlReceipt>) async throws(LinnetError) {
        answers(try await answers.node.controlRename(name))
    }
}

extension SynchronizeRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlSynced>) async throws(LinnetError) {
        try await answers.start(for: meeting)
        let progress = await answers.watchExchange()
        defer { progress.cancel() }
        answers(
            ControlSynced(
                try await answers.node.synchronise(with: meeting.peers, timeout: meeting.timeout)))
    }
}

extension CertificateRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ConvergenceCertificate>) async throws(LinnetError) {
        answers(try await answers.node.certificate())
    }
}

extension CertificateCheckRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ConvergenceCertificate>) async throws(LinnetError) {
        answers(try await answers.node.certificate(reading: bytes))
    }
}

extension AgreementsRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ConvergenceAgreement]>) async throws(LinnetError) {
        answers(try await answers.node.agreements())
    }
}

extension CertificateExchangeRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ConvergenceAgreement]>) async throws(LinnetError) {
        try await answers.start(for: meeting)
        answers(
            try await answers.node.exchangeCertificates(
                with: meeting.peers, timeout: meeting.timeout))
    }
}

extension PairingOfferRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlPairing>) async throws(LinnetError) {
        try await answers.session.offer(terms, answers)
    }
}

extension PairingEntryRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlPairing>) async throws(LinnetError) {
        try await answers.session.type(secret, of: peer, terms, answers)
    }
}

extension ControlMeeting {
    var timeout: Duration {
        .milliseconds(Int64(clamping: min(timeoutMilliseconds, 86_400_000)))
    }
}

extension Answers {
    func start(for meeting: ControlMeeting) async throws(LinnetError) {
        try await session.startIfNeeded(
            NodeOptions(listen: nil, peers: [], discovery: meeting.discovers ? .quiet : .off))
    }

    /// Tells the command how far an exchange is, a few times a second, also while the node is busy
    /// with it.
    fileprivate func watchExchange() async -> Task<Void, Never> {
        let board = node.board.exchange
        await node.watchExchange()
        return Task {
            while !Task.isCancelled {
                if let (done, total) = board.work { progress(done: done, of: total) }
                try? await Task.sleep(for: .milliseconds(ControlSession.progressMilliseconds))
            }
            board.endWatch()
        }
    }
}
