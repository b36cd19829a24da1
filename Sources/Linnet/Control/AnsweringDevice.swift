package import LinnetControl

// A node answers what is asked of the device itself.

extension LockRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.lock()
    }
}

extension UnlockRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[HealthFinding]>) async throws(LinnetError) {
        try await answers.node.unlock(passphrase)
        if let problem = answers.node.unwritable {
            answers([HealthFinding("disk", .broken, problem.commandText)])
        }
    }
}

extension PassphraseRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.changePassphrase(change)
    }
}

extension BackupRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.backUp(to: path, passphrase: passphrase, replacing: replaces) {
            answers.progress(done: $0.doneBytes, of: $0.totalBytes)
        }
    }
}

extension ExaminationRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[HealthFinding]>) async throws(LinnetError) {
        answers(
            try await answers.node.examine(
                isDeep: isDeep, isServing: answers.isServing, answers.telling))
    }
}

extension AcknowledgementRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ControlWarning]>) async throws(LinnetError) {
        let kept = try await answers.node.status().warnings.filter(\.isKept)
        try await answers.node.acknowledgeWarnings()
        answers(kept.map(ControlWarning.init))
    }
}

extension RestatementRequest: NodeRequest {
    package func carryOut(_ answers: Answers<UInt64>) async throws(LinnetError) {
        answers(UInt64(try await answers.node.restateLostBatches()))
    }
}

extension WarningsRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ControlWarning]>) async throws(LinnetError) {
        answers(await answers.node.takeUntoldWarnings().map(ControlWarning.init))
    }
}

extension StopRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        let node = answers.node
        Task { await node.stop() }
    }
}
