import Linnet
import LinnetWire
import Testing

/// A phone or a watch whose app keeps everything that its companion session tells it.
final class LaneDevice: Sendable {
    let node: Node
    private let told = Collector<CompanionSessionEvent>()
    private let reading: Task<Void, Never>

    /// The app of a device whose node runs: it listens, and activates the session on screen.
    init(_ node: Node) async throws {
        self.node = node
        let events = await node.companion.events()
        reading = Task { [told] in
            for await event in events { told.add(event) }
        }
        try await node.companion.activate()
    }

    var companion: CompanionSession { node.companion }
    var events: [CompanionSessionEvent] { told.elements }

    /// Ends the node, and returns once everything it told was kept.
    func stop() async {
        await node.stop()
        await reading.value
    }

    /// Waits until what was told gives `isEnough`; the suite's time limit ends a vain wait.
    func wait(until isEnough: @escaping @Sendable ([CompanionSessionEvent]) -> Bool) async {
        _ = await told.wait(until: isEnough)
    }

    /// Waits for what `find` finds in the events, `count` of it in all.
    func wait<Found>(
        for count: Int = 1, _ find: @escaping @Sendable (CompanionSessionEvent) -> Found?
    ) async -> [Found] {
        await told.wait { $0.compactMap(find).count >= count }.compactMap(find)
    }

    /// Waits until the other side takes messages, by the callback that says so.
    func waitUntilReachable() async {
        while true {
            let told = changes.count
            if await companion.isReachable { return }
            await wait { $0.count { $0 == .reachabilityDidChange } > told }
        }
    }

    private var changes: [CompanionSessionEvent] { events.filter { $0 == .reachabilityDidChange } }

    /// The user infos that came, in order.
    var userInfos: [CompanionUserInfo] { events.compactMap(\.userInfo) }
}

/// The homes of a phone and a watch that meet over TCP alone.
struct LaneHomes {
    private let home = TestHome()

    /// A path beside the homes.
    func callAsFunction(_ name: String) -> String { home(name) }

    /// A phone and a watch of one group, connected over loopback, with both apps on screen.
    func pair() async throws -> (phone: LaneDevice, watch: LaneDevice) {
        let phone = try await Node.create(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(.loopback)
        let app = try await LaneDevice(phone)
        let both = (phone: app, watch: try await join("watch", app))
        await both.watch.waitUntilReachable()
        await both.phone.waitUntilReachable()
        return both
    }

    /// A watch that the phone admits, with its app on screen.
    func join(_ name: String, _ phone: LaneDevice) async throws -> LaneDevice {
        let watch = try await Node.createToJoin(at: home(name), name: name, kind: .watch)
        try await watch.start(.loopback)
        let invitation = try await phone.node.offerPairing { _ in true }
        try await watch.join(code: invitation.code, at: invitation.address)
        return try await LaneDevice(watch)
    }

    /// Opens a home again; a watch with the phone's port connects to it.
    func reopen(_ name: String, connectingTo port: UInt16? = nil) async throws -> LaneDevice {
        let node = try await Node.open(at: home(name))
        let peers = port.map { ["127.0.0.1:\($0)"] } ?? []
        try await node.start(NodeOptions(listen: "127.0.0.1:0", peers: peers, discovery: .off))
        return try await LaneDevice(node)
    }

    /// Both devices again after both had ended.
    func reopenBoth() async throws -> (phone: LaneDevice, watch: LaneDevice) {
        let phone = try await reopen("phone")
        let port = try #require(await phone.node.port)
        return (phone, try await reopen("watch", connectingTo: port))
    }
}

extension CompanionSessionEvent {
    var message: CompanionMessage? {
        if case .didReceiveMessage(let message) = self { message } else { nil }
    }

    var context: CompanionDictionary? {
        if case .didReceiveApplicationContext(let context) = self { context } else { nil }
    }

    var userInfo: CompanionUserInfo? {
        if case .didReceiveUserInfo(let info) = self { info } else { nil }
    }

    var file: CompanionFile? {
        if case .didReceiveFile(let file) = self { file } else { nil }
    }

    /// A user info or file that ended without an error.
    var finished: CompanionTransferID? {
        switch self {
        case .didFinishUserInfoTransfer(let transfer, nil): transfer.id
        case .didFinishFileTransfer(let transfer, nil): transfer.id
        default: nil
        }
    }

    var processed: CompanionTransferID? {
        if case .transferProcessed(let id) = self { id } else { nil }
    }
}
