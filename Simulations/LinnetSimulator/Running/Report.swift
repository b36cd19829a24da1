import LinnetReplication

extension Outcome {
    /// The verdict in a few lines for people.
    package func report(_ scenario: Scenario) -> String {
        let crypto = usesRealCrypto ? "libsodium" : "stand-in crypto"
        let hash = String(traceHash, radix: 16)
        let mail = mailTraffic.map {
            [("mailbox", $0.text(over: milliseconds * Int64(devices)))]
        }
        let lines =
            [
                ("scenario", "\(scenario.name): \(scenario.sentence)"),
                ("seed", "\(seed), \(crypto)"),
                ("events", "\(events)"),
                ("simulated", "\(Trace.time(milliseconds)), \(devices) devices"),
                ("rounds", "\(rounds) until all held the same"), ("trace", hash),
            ] + (mail ?? []) + [("verdict", complaint ?? "ok")]
        return lines.map { name, text in
            name + String(repeating: " ", count: 12 - name.utf8.count) + text
        }.joined(separator: "\n")
    }

    /// The last states of the replicas involved.
    package var statesReport: String {
        states.isEmpty ? "" : "last states\n" + states.joined(separator: "\n")
    }

    /// The invariant and what broke it; nil when nothing did.
    package var shortComplaint: String? {
        switch result {
        case .ok: nil
        case .invariant(let violation): "\(violation.invariant.rawValue): \(violation.message)"
        case .liveness(let message, _): "\(Invariant.convergence.rawValue): \(message)"
        }
    }
}

extension Scenario {
    /// Faults that only a simulated disk has.
    private static let diskFaults: [FaultKind] = [
        .crashAtDiskCall, .lostWrites, .tornWrite, .syncFailure, .writeError, .readError,
        .diskFull, .bitRot, .lostBatches, .failedOpening,
    ]

    /// True when a seed of this scenario may have a fault.
    package func canHave(_ fault: FaultKind) -> Bool {
        if fault == .importInParts, importRecords != nil { return true }
        return faults.contains(fault) && (store == .sqlite || !Self.diskFaults.contains(fault))
    }

    /// True when a long swarm of this scenario reaches a state; asked of those with all faults
    /// only.
    package func canReach(_ state: ProtocolState) -> Bool {
        if [.ownBatchLost, .batchesRestated].contains(state) {
            return faults.contains(.lostBatches)
        }
        if state == .fileFetched { return isAboutFiles }
        if state == .batchesFolded { return compacts }
        if [.mailboxRead, .newsHeard].contains(state) { return mailbox != nil }
        if state == .mailboxFailed { return mailbox != nil && mailbox != .counted }
        guard faults.count == FaultKind.ofFleets.count else { return false }
        return store == .sqlite || ![.commitFailed, .rotFound, .rowRebuilt].contains(state)
    }
}
