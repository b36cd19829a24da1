package import LinnetControl

// A node answers what is asked of its mailboxes.

extension MailboxesRequest: NodeRequest {
    /// False: a look is no use.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<[ControlMailbox]>) async throws(LinnetError) {
        answers(try await answers.node.mailboxes().map(ControlMailbox.init))
    }
}

extension MailboxChangeRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        if isAdded {
            try await answers.node.addMailbox(
                address, credentials: access.map(MailboxCredentials.init(access:)))
        } else {
            try await answers.node.removeMailbox(address)
        }
    }
}

extension MailboxTestRequest: NodeRequest {
    /// False: a trial is no use.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<ControlMailboxTrial>) async throws(LinnetError) {
        let trial = try await answers.node.testAddedMailbox(address)
        answers(ControlMailboxTrial(passed: trial.passed, failure: trial.failure))
    }
}

extension MailboxSyncRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ControlMailboxLook]>) async throws(LinnetError) {
        answers(try await answers.node.syncMailboxes(dryRun: isDry).map(ControlMailboxLook.init))
    }
}

extension ControlMailbox {
    init(_ status: MailboxStatus) {
        self.init(
            address: status.address, lastLookMilliseconds: status.lastLookMilliseconds,
            lastLook: status.lastLook.map(ControlMailboxLook.init), packs: status.packs,
            packBytes: status.packBytes,
            heard: status.heard.map {
                ControlMailboxSender(
                    device: ControlDevice($0.device), leftMilliseconds: $0.leftMilliseconds)
            },
            lastDay: ControlMailboxAmount(
                first: status.requestsLastDay, second: status.bytesLastDay))
    }
}

extension ControlMailboxLook {
    init(_ look: MailboxLook) {
        self.init(
            address: look.address,
            taken: ControlMailboxAmount(first: look.batches, second: look.memberRecords),
            got: ControlMailboxAmount(first: look.objectsGot, second: look.bytesGot),
            put: ControlMailboxAmount(first: look.objectsPut, second: look.bytesPut),
            objectsDeleted: look.objectsDeleted, requests: look.requests, findings: look.findings,
            planned: look.planned, failure: look.failure)
    }
}
