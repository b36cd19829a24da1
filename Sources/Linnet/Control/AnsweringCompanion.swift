import LinnetCompanion
package import LinnetControl

// While a command uses the companion lanes, it is this device's app, and is told
// of what waits for the app.
extension CompanionRequest: NodeRequest {
    package static func failure(_ error: CompanionSessionError) -> ControlFailure {
        ControlFailure(error == .notReachable ? .unreachable : .failed, error.description)
    }

    package func carryOut(
        _ answers: Answers<CompanionLine>
    ) async throws(CompanionSessionError) {
        let node = answers.node
        if case .status = action { return answers(CompanionLine(try await node.laneReport().line)) }
        let (events, number) = await node.laneStream()
        var follower: Task<Void, Never>?
        do throws(CompanionSessionError) {
            try await node.laneAppBegins()
            // This comes before the events: whoever reads on from here misses nothing that
            // waited.
            if case .watch = action { answers(CompanionLine(try await node.laneReport().line)) }
            let following = follow(events, answers)
            follower = following
            try await act(answers)
            if case .watch = action { await answers.session.waitForCancel(following) }
        } catch {
            await Self.leave(node, number, follower)
            throw error
        }
        await Self.leave(node, number, follower)
    }

    private static func leave(
        _ node: Node, _ number: Int, _ follower: Task<Void, Never>?
    ) async {
        await node.laneAppEnds()
        await node.endLaneStream(number)
        await follower?.value
    }

    private func follow(
        _ events: AsyncStream<CompanionSessionEvent>, _ answers: Answers<CompanionLine>
    ) -> Task<Void, Never> {
        Task {
            for await event in events {
                var json = event.json
                if case .watch(let reply, let directory) = action {
                    json = await answers.node.laneAppAnswers(event, reply, directory, json)
                }
                answers(CompanionLine(json.line))
            }
        }
    }

    private func act(
        _ answers: Answers<CompanionLine>
    ) async throws(CompanionSessionError) {
        let session = answers.node.companion
        var transfer: CompanionTransferID?
        switch action {
        case .status, .watch: return
        case .send(let payload):
            let reply = try await session.sendMessage(try dictionary(payload))
            let line: JSON = ["event": "reply", "content": .object(reply)]
            return answers(CompanionLine(line.line))
        case .context(let payload):
            try await session.updateApplicationContext(try dictionary(payload))
        case .info(let payload):
            transfer = try await session.transferUserInfo(try dictionary(payload))
        case .complication(let payload):
            transfer = try await session.transferCurrentComplicationUserInfo(
                try dictionary(payload))
        case .face(let isOn): try await session.setComplication(isOnFace: isOn)
        case .file(let path, let metadata):
            transfer = try await session.transferFile(
                at: path, metadata: try dictionary(metadata))
        case .cancel(let name):
            guard let id = CompanionTransferID(name) else { throw .invalidParameter }
            try await session.cancel(id)
        }
        var line: [JSON.Member] = [JSON.Member("event", "accepted")]
        if let transfer { line.append(JSON.Member("id", .text(transfer.description))) }
        answers(CompanionLine(JSON.object(line).line))
    }

    private func dictionary(
        _ payload: [UInt8]
    ) throws(CompanionSessionError) -> CompanionDictionary {
        guard let dictionary = try? Payload.dictionary(payload) else { throw .invalidParameter }
        return dictionary.values
    }
}
