package import LinnetControl

// A node answers what is asked of the questions to its person.

extension QuestionsRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ControlQuestion]>) async throws(LinnetError) {
        answers(
            try await answers.node.questions(withAnswered: withAnswered)
                .map(ControlQuestion.init))
    }
}

extension QuestionAnswerRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        try await answers.node.answer(record, isOwn: isOwn)
    }
}

extension ControlQuestion {
    init(_ question: DeviceQuestion) {
        let (matter, detail) =
            switch question.matter {
            case .admission: ("admission", "")
            case .removal(let reason): ("removal", reason?.rawValue ?? "")
            case .role(let role): ("role", role.rawValue)
            }
        self.init(
            record: question.record, matter: matter, detail: detail,
            device: ControlDevice(question.device), by: ControlDevice(question.by),
            isByRecovery: question.isByRecovery, isSelf: question.isSelf,
            heardMilliseconds: question.heardMilliseconds,
            answer: question.answer.map { $0 ? "yes" : "no" } ?? "",
            acceptanceMilliseconds: question.acceptanceMilliseconds)
    }
}
