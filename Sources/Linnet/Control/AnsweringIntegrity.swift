package import LinnetControl
import LinnetSystem

// A node answers what is asked of its program and its surroundings.

extension IntegrityRequest: NodeRequest {
    /// False: a look is no use.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<ControlIntegrity>) async throws(LinnetError) {
        answers(ControlIntegrity(try await answers.node.integrity()))
    }
}

extension IntegrityChoiceRequest: NodeRequest {
    /// The policy that is chosen: nil for none, the inner nil for the group's.
    package var choice: IntegrityPolicy?? {
        policy.map { IntegrityPolicy(rawValue: $0) }
    }

    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.chooseIntegrity(policy: choice, accepts: accepts)
    }
}

extension GroupIntegrityRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.setGroupIntegrityPolicy(IntegrityPolicy(rawValue: policy) ?? .log)
    }
}

extension ControlIntegrity {
    /// Puts a report into words.
    package init(_ report: IntegrityReport) {
        self.init(
            policy: report.policy.rawValue, own: report.own?.rawValue,
            group: report.group?.rawValue,
            findings: report.findings.map {
                Finding(
                    check: $0.check.rawValue, state: $0.state.rawValue, text: $0.text,
                    remedy: $0.remedy)
            })
    }
}
