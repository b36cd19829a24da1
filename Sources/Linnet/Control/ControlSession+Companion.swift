import LinnetCompanion

// Requests about the companion lanes. While such a command runs it is this device's app, and is
// handed what waits for the app.
extension ControlSession {
    /// Carries a request out; returns the last response.
    func answer(_ request: ControlCompanionRequest) async -> ControlResponse {
        do throws(CompanionSessionError) {
            try await carryOut(request)
            return .done
        } catch {
            let kind: ControlFailure.Kind = error == .notReachable ? .unreachable : .failed
            return .failed(ControlFailure(kind, error.description))
        }
    }

    private func carryOut(_ request: ControlCompanionRequest) async throws(CompanionSessionError) {
        if case .status = request { return send(.companion(try await node.laneReport().line)) }
        let (events, number) = await node.laneStream()
        var follower: Task<Void, Never>?
        do throws(CompanionSessionError) {
            try await node.laneAppBegins()
            // This comes before the events: a command that reads on from here misses nothing that
            // waited.
            if case .watch = request { send(.companion(try await node.laneReport().line)) }
            let following = follow(events, request)
            follower = following
            try await act(request)
            if case .watch = request { await waitForCancel(following) }
        } catch {
            await leave(number, follower)
            throw error
        }
        await leave(number, follower)
    }

    private func leave(_ number: Int, _ follower: Task<Void, Never>?) async {
        await node.laneAppEnds()
        await node.endLaneStream(number)
        await follower?.value
    }

    private func follow(
        _ events: AsyncStream<CompanionSessionEvent>, _ request: ControlCompanionRequest
    ) -> Task<Void, Never> {
        let (node, send) = (node, send)
        return Task {
            for await event in events {
                var json = event.json
                if case .watch(let reply, let directory) = request {
                    json = await node.laneAppAnswers(event, reply, directory, json)
                }
                send(.companion(json.line))
            }
        }
    }

    private func act(_ request: ControlCompanionRequest) async throws(CompanionSessionError) {
        let session = node.companion
        var transfer: CompanionTransferID?
        switch request {
        case .status, .watch: return
        case .send(let payload):
            let reply = try await session.sendMessage(try dictionary(payload))
            let line: JSON = ["event": "reply", "content": .object(reply)]
            return send(.companion(line.line))
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
        send(.companion(JSON.object(line).line))
    }

    private func dictionary(
        _ payload: [UInt8]
    ) throws(CompanionSessionError) -> CompanionDictionary {
        guard let dictionary = try? Payload.dictionary(payload) else { throw .invalidParameter }
        return dictionary.values
    }
}
