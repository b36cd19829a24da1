package import LinnetControl

extension DashboardRequest: NodeRequest {
    /// The failure as the command is told of it.
    package typealias Failure = ControlFailure

    package static func failure(_ error: ControlFailure) -> ControlFailure { error }

    package func carryOut(_ answers: Answers<ControlDashboard>) async throws(ControlFailure) {
        guard let open = answers.node.board.dashboard else {
            throw ControlFailure(
                .failed, "only a node that 'linnet run' started serves the dashboard")
        }
        let link = try await open()
        answers(link.address)
        if waits, await !link.isUsed() {
            throw ControlFailure(.unreachable, "nobody used the link in time; ask for another one")
        }
    }
}
