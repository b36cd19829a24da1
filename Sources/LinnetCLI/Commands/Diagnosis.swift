import Linnet
import LinnetControl
import LinnetDesktop
import LinnetDiscovery
import LinnetMembership
import LinnetWire

/// The checks of `linnet doctor`.
enum Diagnosis {
    static func findings(_ invocation: Invocation, isDeep: Bool) async -> [HealthFinding] {
        await homeFindings(invocation, isDeep: isDeep) + [network(), await daemon()]
            + reminders()
    }

    /// Returns every fault of the home's files, then the findings of the device itself when it can
    /// be opened.
    private static func homeFindings(
        _ invocation: Invocation, isDeep: Bool
    ) async -> [HealthFinding] {
        let inspection = HomeInspection(of: invocation.home) { isKeyFile($0) }
        var findings = inspection.directory.map { HealthFinding("home", .broken, $0.commandText) }
        if findings.isEmpty {
            findings.append(HealthFinding("home", .good, "\(invocation.home) is yours alone"))
        }
        findings += keyFiles(invocation.home, inspection)
        findings += inspection.database.map { HealthFinding("database", .broken, $0.commandText) }
        if inspection.canBeOpened {
            findings += await contentFindings(invocation, isDeep: isDeep)
        } else {
            findings += KeylessCheck.findings(ofHomeAt: invocation.home, isDeep: isDeep)
        }
        return findings
    }

    private static func isKeyFile(_ bytes: [UInt8]) -> Bool {
        (try? KeyFile.needsPassphrase(bytes)) != nil
    }

    private static func keyFiles(_ path: String, _ inspection: HomeInspection) -> [HealthFinding] {
        var findings: [HealthFinding] = []
        for (file, fault) in inspection.keyFiles.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            switch fault {
            case .refused(let error):
                findings.append(HealthFinding("key file", .broken, error.commandText))
            case .missing, .damaged:
                let isOnly = inspection.keyFiles.count > 1
                findings.append(
                    HealthFinding(
                        "key file", isOnly ? .broken : .warning,
                        "the copy '\(file.rawValue)' is missing or damaged"
                            + (isOnly ? "" : ", the other is intact"),
                        remedy: isOnly
                            ? "Put back a good copy, restore a backup into another home, or join"
                                + " the group again as a new device."
                            : "Any command that opens the home restores it; watch the disk."))
            }
        }
        if findings.isEmpty, inspection.directory.isEmpty, let good = intactKeys(path) {
            findings.append(good)
        }
        return findings
    }

    /// Returns the finding for key files without a fault; nil when they cannot be read.
    private static func intactKeys(_ path: String) -> HealthFinding? {
        let needsPassphrase: Bool
        do {
            let loaded = try KeyFileStore(try Home.open(at: path)).load { isKeyFile($0) }
            needsPassphrase = try KeyFile.needsPassphrase(loaded.bytes)
        } catch {
            return nil
        }
        if needsPassphrase {
            return HealthFinding(
                "key file", .good, "both copies are intact and ask for a passphrase")
        }
        return HealthFinding(
            "key file", .good,
            "both copies are intact, readable by you alone and not encrypted",
            remedy: "Anyone who can read the disk has this device's keys: encrypt it, or"
                + " give them a passphrase with 'linnet passphrase set'.")
    }

    private static func contentFindings(
        _ invocation: Invocation, isDeep: Bool
    ) async -> [HealthFinding] {
        var findings: [HealthFinding] = []
        var progress: CountProgress?
        defer { progress?.end() }
        do throws(ControlFailure) {
            let gateway = try await invocation.openGateway(tells: false)
            do throws(ControlFailure) {
                findings = try await gateway.ask(ExaminationRequest(isDeep: isDeep)) { checked in
                    progress =
                        progress
                        ?? CountProgress([WorkStep("batches and rows checked")], invocation.output)
                    progress?.tell(checked.done, of: checked.total)
                }
            } catch {
                await gateway.close()
                throw error
            }
            await gateway.close()
            if let problem = gateway.unwritable {
                findings.append(HealthFinding("disk", .broken, problem.commandText))
            }
        } catch {
            if case .integrity = error.cause as? LinnetError {
                return [HealthFinding("integrity", .broken, error.message)]
            }
            findings.append(HealthFinding("database", .broken, error.message))
            findings += KeylessCheck.findings(ofHomeAt: invocation.home, isDeep: isDeep)
        }
        return findings
    }

    private static func network() -> HealthFinding {
        let all = NetworkInterface.current()
        let useful = all.filter { $0.carriesMulticast && !$0.isLoopback && !$0.prefixes.isEmpty }
        if useful.isEmpty {
            return HealthFinding(
                "network", .note,
                "only the loopback interface carries multicast",
                remedy: "Connect to a network, or name devices with 'linnet run --peer'.")
        }
        let addresses = useful.flatMap(\.prefixes).map(\.address.text)
        return HealthFinding(
            "network", .good, "reachable as \(addresses.joined(separator: ", "))")
    }

    /// Browses for a moment and announces nothing.
    private static func daemon() async -> HealthFinding {
        let state = await DaemonProbe.state()
        switch state {
        case .searching, .found, .noMulticast:
            return HealthFinding("mDNS daemon", .good, "it answers")
        case .permissionRefused:
            return HealthFinding(
                "mDNS daemon", .note,
                "the system refuses access to the local network",
                remedy: "Allow it in the system's privacy settings.")
        case .noDaemon, nil:
            return HealthFinding(
                "mDNS daemon", .note, "none answers",
                remedy: "Start it (systemctl start avahi-daemon), or name devices with --peer.")
        }
    }
}

extension Diagnosis {
    /// Looks for who would show reminders, without showing one or starting anybody.
    fileprivate static func reminders() async -> [HealthFinding] {
        guard let desktop = Desktop(tell: { _ in }) else {
            return [HealthFinding("reminders", .unchecked, "the system has no thread left")]
        }
        let server = await desktop.server()
        await desktop.stop()
        let session = "Start 'linnet run --remind' in the desktop's session, or ask 'linnet med"
        switch server {
        case .answers(let name, let hasActions):
            return [
                HealthFinding(
                    "reminders", .good,
                    "\(name) shows notifications" + (hasActions ? "" : ", without buttons"))
            ]
        case .startable:
            return [HealthFinding("reminders", .good, "who shows notifications starts when needed")]
        case .missing:
            return [
                HealthFinding(
                    "reminders", .note, "nobody on the session bus shows notifications",
                    remedy: "Start the desktop's notification service; 'linnet run --remind' finds"
                        + " it.")
            ]
        // A system without session buses has nothing to mend.
        case .noBus(0): return []
        case .noBus:
            return [
                HealthFinding(
                    "reminders", .note, "there is no session bus", remedy: session + " remind'.")
            ]
        }
    }
}

/// Asks the system's mDNS daemon for a sign of life.
enum DaemonProbe {
    /// Returns the state that the daemon's first answer stands for; nil when none came within three
    /// seconds.
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
