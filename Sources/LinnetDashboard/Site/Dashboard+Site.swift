import Linnet
import LinnetAPI
import LinnetControl
import LinnetSystem
import LinnetWire

/// Carries a reply out of an isolated call on the loop's thread, where it is used as well.
struct ReplyBox: @unchecked Sendable {
    let reply: HTTPReply

    init(_ reply: HTTPReply) { self.reply = reply }
}

// The requests of browsers. What needs only the head is refused before a body is read.
extension Dashboard {
    /// Returns the refusal of a request by its head; nil when it may go on.
    func refusal(of request: HTTPRequest) -> HTTPAnswer? {
        guard let opened else { return .refusal(503, "busy", "the node is stopping") }
        do throws(Doorkeeper.Refusal) {
            let route = try opened.doorkeeper.route(request) { files.has($0) }
            try check(request, route, opened)
            return nil
        } catch {
            return ErrorPage.answer(error, to: request)
        }
    }

    private func check(
        _ request: HTTPRequest, _ route: DashboardRoute, _ opened: Opened
    ) throws(Doorkeeper.Refusal) {
        if route == .metrics { return try checkToken(request, opened) }
        guard route.needsSession else { return }
        guard let session = session(request, opened.doorkeeper) else {
            throw Doorkeeper.Refusal(
                403, "session",
                "there is no session here: the node was started anew, the session "
                    + "was ended, or this browser never used a link",
                remedy: "Open the page with 'linnet dashboard --open'.")
        }
        if case .writing = route.access, request.only("x-linnet-token") != session.token {
            throw Doorkeeper.Refusal(
                403, "token", "the request does not have the token of its session",
                remedy: "Load the page again.")
        }
    }

    private func checkToken(
        _ request: HTTPRequest, _ opened: Opened
    ) throws(Doorkeeper.Refusal) {
        switch opened.metricsToken {
        case .success(let token):
            guard MetricsToken.isRight(request.only("authorization"), token) else {
                throw Doorkeeper.Refusal(
                    403, "token", "the bearer token is missing or wrong",
                    remedy: "It stands in the file dashboard-token of the home.")
            }
        case .failure(let error):
            throw Doorkeeper.Refusal(
                403, "token", "there is no token for the figures: \(error.description)")
        }
    }

    /// Returns the reply to a request that was not refused.
    func reply(to request: HTTPRequest, _ body: [UInt8]) -> HTTPReply {
        // A body takes time: the session may be over by its end.
        if let refusal = refusal(of: request) { return .now(refusal) }
        guard let opened else { return .now(.refusal(503, "busy", "the node is stopping")) }
        let known = DashboardRoute.all(of: request.path) { files.has($0) }
        guard let route = known.first(where: { $0.method == request.method })?.route else {
            return .now(.refusal(404, "path", "there is nothing under this path"))
        }
        let session = session(request, opened.doorkeeper)
        switch route {
        case .file(let name): return .now(file(name))
        case .open: return .now(file("open.html"))
        case .shell: return .now(file("index.html"))
        case .enter: return .now(enter(body, request, opened.doorkeeper))
        case .session: return tokenReply(session)
        case .events:
            let lastID = request.only("last-event-id")
            return .stream(opened.live.open(session: session?.number ?? 0, lastID: lastID))
        case .verb(let name):
            let sequence = opened.live.sequence
            let number = session?.number ?? 0
            return .later { [weak self] in
                await self?.carryOut(name, body, session: number, sequence: sequence)
                    ?? .refusal(503, "busy", "the node is stopping")
            }
        case .face(let name):
            let query = request.query
            return .later { [node] in await FacePicture.answer(name, query, of: node) }
        case .report:
            return .later { [node] in await ReportPage.answer(request, of: node) }
        case .pairingPicture:
            return .later { [pairing] in
                await pairing.picture.map { HTTPAnswer.picture($0) }
                    ?? .refusal(404, "path", "no pairing is offered")
            }
        case .metrics:
            let pages = opened.live.count
            let open = sessions.all.count
            return .later { [node] in await Metrics.answer(of: node, sessions: open, pages: pages) }
        }
    }

    private func file(_ name: String) -> HTTPAnswer {
        files.answer(name) ?? .refusal(404, "path", "there is nothing under this path")
    }

    private func tokenReply(_ session: SessionList.Session?) -> HTTPReply {
        guard let session else {
            return .now(.refusal(403, "session", "there is no session here"))
        }
        return .later { [node, guest] in
            do throws(ControlFailure) {
                let gateway = Gateway(ofServing: node, isUse: false)
                let identity = try await gateway.ask(IdentityRequest())
                return .json([
                    "ok": [
                        "token": .text(session.token),
                        "device": .text(identity.device.description),
                        "name": .text(identity.name), "session": .integer(session.number),
                        "guest": guest.map { .text($0.screen) } ?? .null,
                    ]
                ])
            } catch {
                return .failure(error)
            }
        }
    }
}
