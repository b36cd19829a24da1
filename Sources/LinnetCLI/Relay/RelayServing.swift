import Linnet
import LinnetAPI
import LinnetControl
import LinnetRelay
import LinnetSystem
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `linnet relay run`, and the lines about accounts.
enum RelayServing {
    private static let mostFileBytes = 1 << 20

    /// Serves until it is interrupted.
    static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let words = try arguments.words("run", "DIR")
        guard let listen = arguments.value("listen") else {
            throw .usage("say with --listen where, as --listen 127.0.0.1:8443")
        }
        let room = try ByteSize.read(arguments, "room") ?? RelayLimits.usualRoom
        let paths = try identityPaths(arguments)
        let identity = try paths.map { (paths) throws(ControlFailure) in try read(paths) }
        let relay: Relay
        do throws(RelayError) {
            relay = try await Relay.serve(words[1], at: listen, identity: identity, room: room)
        } catch {
            throw .failed(error.description)
        }
        Signals.onTermination { Task { await relay.close() } }
        let manager = ServiceManager(environment: Environment.value, process: getpid())
        let scheme = identity == nil ? "relay+http" : "relay+https"
        RunLog.write(
            [
                "event": "ready", "address": .text(relay.address.description),
                "port": .integer(relay.address.port), "tls": .bool(identity != nil),
            ], "ready, listening at \(relay.address) (\(scheme)://\(relay.address))",
            invocation.output)
        manager?.tell("READY=1")
        var renewal: Task<Void, Never>?
        if let identity, let paths {
            let kept = RelayRenewal(relay, identity, from: paths, invocation.output)
            renewal = Task { await kept.follow() }
        }
        defer { renewal?.cancel() }
        var problem: RelayError?
        for await end in relay.ends { problem = end }
        manager?.tell("STOPPING=1")
        if let problem {
            await relay.close()
            throw .failed("the relay stopped: \(problem.description)")
        }
        RunLog.write(["event": "stopped"], "stopped", invocation.output)
    }

    private static func identityPaths(
        _ arguments: Arguments
    ) throws(ControlFailure) -> (certificate: String, key: String)? {
        let paths = (arguments.value("certificate"), arguments.value("key"))
        guard let certificate = paths.0, let key = paths.1 else {
            if paths.0 != nil || paths.1 != nil {
                throw .usage("--certificate and --key belong together")
            }
            return nil
        }
        return (certificate, key)
    }

    /// Reads a certificate and its key.
    static func read(
        _ paths: (certificate: String, key: String)
    ) throws(ControlFailure) -> RelayIdentity {
        let texts = try [paths.certificate, paths.key].map { (path) throws(ControlFailure) in
            String(decoding: try FileText.read(path, upTo: mostFileBytes), as: UTF8.self)
        }
        return RelayIdentity(certificate: texts[0], key: texts[1])
    }

    /// Writes the line of an account.
    static func show(_ account: RelayAccount, _ output: Output) {
        let now = SystemClock.now().wallMilliseconds
        let use = account.lastUseMilliseconds.map { "last used \(Ago.words(now - $0))" }
        output.result(
            [
                "account": .text(account.name), "place": .text(account.place),
                "quota": .integer(account.quota), "used": .integer(account.used),
                "objects": .integer(account.objects),
                "lastUse": account.lastUseMilliseconds.map { JSON.integer($0) } ?? .null,
            ],
            "\(account.name) at \(account.place): \(ByteSize.words(account.used)) of"
                + " \(ByteSize.words(account.quota)), \(Plural.of(account.objects, "object")),"
                + " \(use ?? "never used")")
    }
}
