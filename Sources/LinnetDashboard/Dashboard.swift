package import Linnet
import LinnetAPI
package import LinnetControl
import LinnetCrypto
import LinnetDiscovery
import LinnetSystem
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The page of a running node, on this machine alone: it shows what the node has, as it changes.
///
/// It runs on the node's own loop. The reading and writing of JSON takes long and runs elsewhere.
package final actor Dashboard {
    /// The parts that exist while the dashboard is open.
    struct Opened {
        let listener: TCPListener
        let server: HTTPServer
        let live: LiveFeed
        let doorkeeper: Doorkeeper
        /// The token for the figures, or the reason why there is none.
        let metricsToken: Result<String, HomeError>
        var followers: [Task<Void, Never>] = []
    }

    nonisolated let node: Node
    nonisolated let loop: EventLoop
    nonisolated let files = PageFiles()
    nonisolated let pairing: PairingScreen
    nonisolated let guest: (any DashboardGuest)?
    var opened: Opened?
    var sessions = SessionList()
    private var links = OpenLinks()
    private var linkTimer: TimerID?
    private var entropy = Entropy(seed: SystemEntropy.seed())
    private let news: Pipe

    /// The way of a change of the pairing to the pages.
    private final class Pipe: Sendable {
        let states: AsyncStream<Void>
        let tell: AsyncStream<Void>.Continuation

        init() {
            (states, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    /// Joins the dashboard to a node; nothing listens before ``open(port:)``.
    ///
    /// - Parameter guest: a screen beside those of the node.
    package init(of node: Node, guest: (any DashboardGuest)? = nil) {
        self.node = node
        self.guest = guest
        loop = node.eventLoop
        let news = Pipe()
        self.news = news
        pairing = PairingScreen(node) { news.tell.yield() }
    }

    /// The node's own thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Listens at a port of 127.0.0.1, 0 for any, unless it does so already; returns the port.
    package func open(port: UInt16 = 0) async throws(ControlFailure) -> UInt16 {
        if let opened { return opened.doorkeeper.port }
        let changes: RecordChanges
        do throws(LinnetError) {
            changes = try await node.changesEverywhere()
        } catch {
            throw ControlFailure(error)
        }
        let events = await node.events()
        let home = await node.homeDirectory
        // Another call may have opened it meanwhile.
        if let opened { return opened.doorkeeper.port }
        var made = try listen(at: port, MetricsToken.open(in: home))
        made.followers = [
            Task { [weak self] in
                var changes = changes.makeAsyncIterator()
                while let places = await changes.nextAll() { await self?.note(places) }
            },
            Task { [weak self] in
                for await event in events { await self?.note(event) }
            },
            Task { [weak self, news] in
                for await _ in news.states { await self?.noteState() }
            },
            Task { [weak self, guest] in
                guard let guest else { return }
                for await _ in guest.news { await self?.noteState() }
            },
        ]
        opened = made
        return made.doorkeeper.port
    }

    /// Makes a link that opens the page once.
    package func link() async throws(ControlFailure) -> DashboardLink {
        let port = try await open()
        let now = SystemClock.uptimeMilliseconds()
        let (number, secret) = links.add(at: now, &entropy)
        planLinks()
        let address = ControlDashboard(
            url: "http://127.0.0.1:\(port)/open#\(secret)",
            lifetimeMilliseconds: UInt64(OpenLinks.lifetimeMilliseconds))
        return DashboardLink(address) { [weak self] in await self?.isUsed(number) ?? false }
    }

    /// Ends all sessions and connections.
    package func close() {
        guard let closing = opened else { return }
        opened = nil
        for follower in closing.followers { follower.cancel() }
        closing.listener.close()
        closing.live.end(reason: "the node stops")
        closing.server.close()
        links.close()
        if let linkTimer { loop.cancel(linkTimer) }
        linkTimer = nil
    }

    private func listen(
        at port: UInt16, _ token: Result<String, HomeError>
    ) throws(ControlFailure) -> Opened {
        guard let ip = IPAddress("127.0.0.1") else {
            throw ControlFailure(.failed, "this system does not know 127.0.0.1")
        }
        let site = HTTPServer.Site(
            refusal: { [weak self] request in
                self?.assumeIsolated { $0.refusal(of: request) }
            },
            reply: { [weak self] request, body in
                self?.assumeIsolated { ReplyBox($0.reply(to: request, body)) }.reply
                    ?? .now(.refusal(503, "busy", "the node is stopping"))
            })
        guard let server = HTTPServer(loop: loop, site: site) else {
            throw ControlFailure(.failed, "the system has no descriptor left for the dashboard")
        }
        let listener: TCPListener
        do throws(ListenFailure) {
            listener = try TCPListener(at: SocketAddress(ip: ip, port: port), loop: loop) {
                [weak self] descriptor, remote in
                self?.assumeIsolated { $0.adopt(descriptor, from: remote) }
            }
        } catch {
            server.close()
            throw ControlFailure(
                .failed, "the dashboard cannot listen at 127.0.0.1:\(port): \(error.reason)")
        }
        return Opened(
            listener: listener, server: server,
            live: LiveFeed(loop: loop, run: Hex.encode(entropy.bytes(4))),
            doorkeeper: Doorkeeper(port: listener.address.port), metricsToken: token)
    }

    /// Takes a connection of this user's programs; closes any other before a byte of it is read.
    private func adopt(_ descriptor: Int32, from remote: SocketAddress) {
        guard let opened,
            SocketOwner.userID(of: remote, to: opened.listener.address) == geteuid()
        else { return SystemCall.close(descriptor) }
        opened.server.adopt(descriptor, from: remote)
    }
}

// The news of the node.
extension Dashboard {
    private func note(_ places: [RecordPlace]) { opened?.live.note(places) }

    func noteState() { opened?.live.noteState() }

    private func note(_ event: NodeEvent) async {
        switch event {
        case .recordsChanged: break
        case .batchApplied(_, _, _, isLocal: true): break
        case .locked, .unlocked, .schemaLearned: opened?.live.noteEverything()
        case .stopped: close()
        case .pairingFailed(.wrongCode(let left)):
            await pairing.noteWrongCode(triesLeft: left)
        default: noteState()
        }
    }
}

// Links and sessions.
extension Dashboard {
    private func isUsed(_ number: UInt64) async -> Bool {
        await withCheckedContinuation { links.wait(for: number, $0) }
    }

    private func planLinks() {
        if let linkTimer { loop.cancel(linkTimer) }
        linkTimer = links.expire(at: SystemClock.uptimeMilliseconds()).map { deadline in
            loop.schedule(at: deadline) { [weak self] in
                self?.assumeIsolated { dashboard in
                    dashboard.linkTimer = nil
                    dashboard.planLinks()
                }
            }
        }
    }

    /// Exchanges the secret of a link for a session.
    func enter(_ body: [UInt8], _ request: HTTPRequest, _ doorkeeper: Doorkeeper) -> HTTPAnswer {
        var secret: String?
        do throws(JSONReader.Failure) {
            secret = try JSONReader.read(body)["secret"]?.string
        } catch {
            return .refusal(400, "usage", "the body is no JSON: \(error.message)")
        }
        let now = SystemClock.now()
        guard let secret, links.use(secret, at: now.uptimeMilliseconds) else {
            return .refusal(
                403, "link", "this link was used, is older than 60 seconds, or never was",
                remedy: "Ask for another one with 'linnet dashboard --open'.")
        }
        let agent = request.only("user-agent") ?? ""
        let (_, cookie) = sessions.open(agent: agent, at: now, &entropy)
        noteState()
        var answer = HTTPAnswer.json(["ok": .object([])])
        answer.headers = [doorkeeper.setCookie(cookie)]
        return answer
    }

    /// Returns the session of a request; nil when it has none.
    func session(_ request: HTTPRequest, _ doorkeeper: Doorkeeper) -> SessionList.Session? {
        doorkeeper.cookie(request).flatMap { sessions.use($0, at: SystemClock.now()) }
    }
}
