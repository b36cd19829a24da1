import Linnet
import LinnetControl
import LinnetCrypto
import LinnetSystem
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The figures of a node in the text format of Prometheus. They name devices by identifier alone.
enum Metrics {
    @concurrent
    static func answer(of node: Node, sessions: Int, pages: Int) async -> HTTPAnswer {
        do throws(ControlFailure) {
            let status = try await Gateway(ofServing: node, isUse: false).ask(StatusRequest())
            let text = text(status, sessions: sessions, pages: pages)
            return HTTPAnswer(type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
        } catch {
            return .failure(error)
        }
    }

    static func text(_ status: ControlStatus, sessions: Int, pages: Int) -> String {
        var text = ""
        func gauge(_ name: String, _ help: String, _ values: [(label: String, value: String)]) {
            text += "# HELP linnet_\(name) \(help)\n# TYPE linnet_\(name) gauge\n"
            for (label, value) in values { text += "linnet_\(name)\(label) \(value)\n" }
        }
        func whole(_ value: some BinaryInteger) -> [(label: String, value: String)] {
            [("", "\(value)")]
        }
        func each(
            _ value: (ControlStatus.Member) -> String?
        ) -> [(label: String, value: String)] {
            status.members.filter { !$0.isSelf }.compactMap { member in
                value(member).map { ("{device=\"\(member.device.description)\"}", $0) }
            }
        }
        gauge("locked", "1 while the keys are out of memory.", whole(status.isLocked ? 1 : 0))
        gauge("batches", "Batches that are stored.", whole(status.batches))
        gauge("batch_bytes", "Bytes of the batches that are stored.", whole(status.batchBytes))
        gauge("waiting", "Things that stored changes wait for.", whole(status.waiting.count))
        gauge("late_batches", "Batches that were written too late.", whole(status.lateBatches))
        gauge("questions", "Questions that wait for an answer.", whole(status.questions.count))
        gauge("dashboard_sessions", "Sessions of the dashboard.", whole(sessions))
        gauge("dashboard_pages", "Streams of events to pages.", whole(pages))
        let kinds = Dictionary(grouping: status.warnings, by: \.kind).sorted { $0.key < $1.key }
        gauge(
            "warnings", "Warnings that stand, by kind.",
            kinds.map { ("{kind=\"\($0.key)\"}", "\($0.value.count)") })
        gauge("device_connected", "1 while a session is open.", each { $0.isConnected ? "1" : "0" })
        gauge(
            "device_behind_batches", "Batches that the device lacks, as far as it told.",
            each { $0.behindBatches.map { "\($0)" } })
        gauge(
            "device_last_heard_seconds", "Unix time at which the device was last heard.",
            each { $0.lastHeardMilliseconds.map { "\($0 / 1_000)" } })
        gauge(
            "device_bytes_today", "Bytes of the batches that the device sent here today.",
            each { "\($0.amounts.bytesToday)" })
        return text
    }
}

/// The token with which a program reads the figures. It stands in the home, so that whoever can
/// read the home can read them.
enum MetricsToken {
    private static let byteCount = 32

    /// Reads the token of a home; the first call draws it.
    static func open(in home: Home) -> Result<String, HomeError> {
        let name = Home.File.dashboardToken.rawValue
        do throws(HomeError) {
            if !home.directory.contains(name) {
                let file = try home.directory.file(name, O_WRONLY | O_CREAT | O_EXCL)
                var entropy = Entropy(seed: SystemEntropy.seed())
                try file.write(Array((Hex.encode(entropy.bytes(byteCount)) + "\n").utf8))
                try file.synchronize()
            }
            let file = try home.directory.file(name, O_RDONLY | O_NONBLOCK)
            let text = String(decoding: try file.read(upTo: 2 * byteCount + 1), as: UTF8.self)
            let token = String(text.prefix { $0 != "\n" })
            guard Hex.decode(token)?.count == byteCount else {
                throw .system(call: "read", path: "\(home.path)/\(name)", code: EINVAL)
            }
            return .success(token)
        } catch {
            return .failure(error)
        }
    }

    /// Returns true when a header has the token; hashes are compared, so that the time tells
    /// nothing of use.
    static func isRight(_ header: String?, _ token: String) -> Bool {
        guard let header else { return false }
        let wanted = Hash.blake2b(.check, Array("Bearer \(token)".utf8))
        return Hash.blake2b(.check, Array(header.utf8)) == wanted
    }
}
