import Linnet
import LinnetAPI
import LinnetControl
import LinnetRelay

/// The certificate of a relay, which its owner renews: it is read anew each minute and upon SIGHUP,
/// and shown to new connections where it changed.
final actor RelayRenewal {
    private static let tick = Duration.seconds(60)

    private let relay: Relay
    private let paths: (certificate: String, key: String)
    private let output: Output
    private var shown: RelayIdentity
    /// The files that were no certificate and its key when they were read last, and are told once.
    private var refused: RelayIdentity?
    private var isUnreadable = false

    init(
        _ relay: Relay, _ shown: RelayIdentity,
        from paths: (certificate: String, key: String), _ output: Output
    ) {
        (self.relay, self.shown, self.paths, self.output) = (relay, shown, paths, output)
    }

    /// Looks from now on, until the task ends.
    func follow() async {
        Signals.onHangup { Task { await self.look() } }
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.tick) } catch { return }
            await look()
        }
    }

    private func look() async {
        let found: RelayIdentity
        do throws(ControlFailure) {
            found = try RelayServing.read(paths)
        } catch {
            if !isUnreadable { tell(isRenewed: false, error.message) }
            isUnreadable = true
            return
        }
        isUnreadable = false
        guard found != shown, found != refused else { return }
        do throws(RelayError) {
            try await relay.renew(found)
            (shown, refused) = (found, nil)
            tell(isRenewed: true, "the certificate was renewed")
        } catch {
            // A file may be new and the other one not yet.
            refused = found
            tell(isRenewed: false, error.description)
        }
    }

    private func tell(isRenewed: Bool, _ text: String) {
        RunLog.write(
            ["event": "certificate", "renewed": .bool(isRenewed), "message": .text(text)],
            isRenewed ? text : "the certificate stays as it was: \(text)", output)
    }
}
