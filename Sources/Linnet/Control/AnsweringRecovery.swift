package import LinnetControl

// A node answers what is asked of the recovery phrase.

extension RecoveryStatusRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlRecovery>) async throws(LinnetError) {
        answers(ControlRecovery(try await answers.node.recoveryStatus()))
    }
}

extension RecoveryPhraseRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        let node = answers.node
        switch (phrase, next) {
        case (let phrase?, let next?): try await node.replaceRecovery(phrase, by: next)
        case (let phrase?, nil): try await node.testRecovery(phrase)
        case (nil, let next?): try await node.createRecovery(next)
        case (nil, nil): return
        }
    }
}

extension RecoveryUseRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.recover(removing: isAll ? .all : .named(lost), phrase: phrase)
    }
}

extension ControlRecovery {
    init(_ status: RecoveryStatus) {
        var (isPossible, isMakerHere) = (true, false)
        var made: Int64?
        switch status.phrase {
        case .impossible: isPossible = false
        case .notMade(let here): isMakerHere = here
        case .made(let milliseconds): made = milliseconds
        }
        self.init(
            isPossible: isPossible, isMakerHere: isMakerHere, madeMilliseconds: made,
            testedMilliseconds: status.testedMilliseconds, opensDoors: status.opensDoors,
            isTestDue: status.isTestDue)
    }
}
