import Linnet
import LinnetDiscovery
import LinnetMembership
import LinnetWire

/// The checks of `linnet doctor`.
enum Diagnosis {
    struct Finding: Sendable {
        enum State: String, Sendable {
            case good = "ok"
            case warning
            case broken
        }

        let check: String
        let state: State
        let text: String
        var remedy: String?
    }

    static func findings(_ invocation: Invocation) async -> [Finding] {
        await homeFindings(invocation) + [clock(), network(), await daemon()]
    }

    private static func homeFindings(_ invocation: Invocation) async -> [Finding] {
        let home: Home
        do throws(HomeError) {
            home = try Home.open(at: invocation.home)
        } catch {
            return [broken("home", error.description)]
        }
        return [
            Finding(check: "home", state: .good, text: "\(home.path) is yours alone"),
            keyFile(home), await database(invocation),
        ]
    }

    private static func keyFile(_ home: Home) -> Finding {
        do throws(HomeError) {
            let loaded = try KeyFileStore(home).load { (try? KeyFile.needsPassphrase($0)) != nil }
            guard let damaged = loaded.unusable.first else {
                if (try? KeyFile.needsPassphrase(loaded.bytes)) == true {
                    return Finding(
                        check: "key file", state: .good,
                        text: "both copies are intact and ask for a passphrase")
                }
                return Finding(
                    check: "key file", state: .good,
                    text: "both copies are intact, readable by you alone and not encrypted",
                    remedy: "Whoever reads the disk has this device's keys: encrypt the disk, or"
                        + " give them a passphrase with 'linnet passphrase set'.")
            }
            return Finding(
                check: "key file", state: .warning,
                text: "the copy '\(damaged.rawValue)' is missing or damaged, the other is intact",
                remedy: "Any command that opens the home writes it anew; watch the disk.")
        } catch {
            return broken("key file", error.description)
        }
    }

    private static func database(_ invocation: Invocation) async -> Finding {
        do throws(ControlFailure) {
            let gateway = try await invocation.openGateway()
            let text: String
            do throws(ControlFailure) {
                text = try await databaseText(gateway)
            } catch {
                await gateway.close()
                throw error
            }
            await gateway.close()
            if let problem = gateway.unwritable { return broken("database", problem.description) }
            return Finding(check: "database", state: .good, text: text)
        } catch {
            return broken("database", error.message)
        }
    }

    private static func databaseText(_ gateway: Gateway) async throws(ControlFailure) -> String {
        var text = ""
        try await gateway.perform(.status) { (response) throws(ControlFailure) in
            if case .status(let status) = response {
                text =
                    status.isLocked
                    ? "locked" : "\(status.batches) batches, \(status.members.count) devices"
            }
            return nil
        }
        return gateway.isRemote
            ? "\(text); 'linnet run' has it open and answers"
            : "\(text); opened and checked"
    }

    private static func clock() -> Finding {
        let now = SystemClock.now().wallMilliseconds
        let text = "it is \(Value.instant(now).description) here"
        // The year in which this version was written, and a century later.
        let plausible: ClosedRange<Int64> = 1_735_689_600_000...4_891_363_200_000
        if plausible.contains(now) { return Finding(check: "clock", state: .good, text: text) }
        return Finding(
            check: "clock", state: .warning, text: "\(text), which cannot be",
            remedy: "Set the clock (timedatectl); nothing is lost meanwhile, but the order of"
                + " changes made apart may surprise.")
    }

    private static func network() -> Finding {
        let all = NetworkInterface.current()
        let useful = all.filter { $0.carriesMulticast && !$0.isLoopback && !$0.prefixes.isEmpty }
        if useful.isEmpty {
            return Finding(
                check: "network", state: .warning,
                text: "no interface but the loopback one carries multicast",
                remedy: "Connect to a network, or name devices with 'linnet run --peer'.")
        }
        let addresses = useful.flatMap(\.prefixes).map(\.address.text)
        return Finding(
            check: "network", state: .good,
            text: "reachable as \(addresses.joined(separator: ", "))")
    }

    /// Browses for a moment, announces nothing.
    private static func daemon() async -> Finding {
        let state = await DaemonProbe.state()
        switch state {
        case .searching, .found, .noMulticast:
            return Finding(check: "mDNS daemon", state: .good, text: "it answers")
        case .permissionRefused:
            return Finding(
                check: "mDNS daemon", state: .warning,
                text: "the system refuses access to the local network",
                remedy: "Allow it in the system's privacy settings.")
        case .noDaemon, nil:
            return Finding(
                check: "mDNS daemon", state: .warning, text: "none answers",
                remedy: "Start it (systemctl start avahi-daemon), or name devices with --peer.")
        }
    }

    private static func broken(_ check: String, _ message: String) -> Finding {
        Finding(check: check, state: .broken, text: message)
    }
}

/// Asks the system's mDNS daemon for a sign of life.
enum DaemonProbe {
    /// What the daemon's answer means; nil when none came within three seconds.
    static func state() async -> DiscoveryState? {
        let (states, continuation) = AsyncStream.makeStream(of: DiscoveryState.self)
        let service = try? DNSSDService { event in
            switch event {
            case .state(let state): continuation.yield(state)
            case .stopped: continuation.finish()
            default: break
            }
        }
        guard let service else { return nil }
        service.browse(.member)
        let limit = Task {
            try? await Task.sleep(for: .seconds(3))
            continuation.finish()
        }
        var first: DiscoveryState?
        for await state in states {
            first = state
            break
        }
        limit.cancel()
        service.stop()
        return first
    }
}
