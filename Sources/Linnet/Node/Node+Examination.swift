package import LinnetControl
import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// Looks for faults of this device, while it goes on.
    ///
    /// - Parameters:
    ///   - isDeep: true when everything that is stored is read, however much it is.
    ///   - isServing: true when `run` keeps the node.
    ///   - progress: learns how many batches and rows are done, and of how many.
    package func examine(
        isDeep: Bool, isServing: Bool, _ progress: @Sendable (Int, Int) -> Void
    ) async throws(LinnetError) -> [HealthFinding] {
        try await examine(isDeep: isDeep, isServing: isServing, .usual, progress)
    }

    /// Looks for faults with other bounds.
    package func examine(
        isDeep: Bool, isServing: Bool, _ bounds: ExaminationBounds,
        _ progress: @Sendable (Int, Int) -> Void
    ) async throws(LinnetError) -> [HealthFinding] {
        if isLocked {
            return [
                HealthFinding(
                    "node", .note, "the node is locked: its keys are out of memory",
                    remedy: "'linnet unlock' lets it take part again, and 'linnet doctor' look at"
                        + " everything.")
            ] + KeylessCheck.findings(of: home, isDeep: isDeep, bounds)
        }
        try running()
        var findings = statusFindings()
        let isReadable = !findings.contains(where: \.isWrong)
        findings.append(
            isServing
                ? HealthFinding("node", .good, "'linnet run' has the home open and answers")
                : HealthFinding(
                    "node", .note, "no node runs, so nothing is exchanged",
                    remedy: "Start 'linnet run', or exchange now and then with 'linnet sync'."))
        findings += try clockFindings()
        findings += warningFindings()
        let bytes = home.databaseBytes
        if isDeep || !isReadable || bytes <= bounds.quickBytes {
            findings += try await contentFindings(
                bytes, hasStructure: !isServing || bytes <= bounds.servingBytes, progress)
            if isDeep { findings.append(try await recordFinding()) }
        } else {
            findings.append(ContentText.unread(bytes))
        }
        return findings
    }

    /// Returns the findings of the status; where that fails, the rest is looked at all the same.
    private func statusFindings() -> [HealthFinding] {
        do throws(LinnetError) {
            let status = try status()
            let summary =
                "opened; batches: \(status.batches), devices: \(status.devices.count)"
            return [HealthFinding("database", .good, summary)]
                + status.waiting.map { HealthFinding("waiting", .note, $0) }
        } catch {
            return [HealthFinding("database", .broken, error.description)]
        }
    }

    private func warningFindings() -> [HealthFinding] {
        let now = SystemClock.now().wallMilliseconds
        return standingWarnings().filter { $0.warning.kind != .clockSkew }.map { standing in
            HealthFinding(
                standing.warning.kind.part, .warning,
                standing.description
                    + (standing.wallMilliseconds.map { " (\(Ago.words(now - $0)))" } ?? ""),
                remedy: standing.warning.commandRemedy)
        }
    }
}

// The clocks.
extension Node {
    private func clockFindings() throws(LinnetError) -> [HealthFinding] {
        try clockJudgement().findings
    }

    /// The evidence about this device's clock.
    func clockJudgement() throws(LinnetError) -> ClockJudgement {
        let now = SystemClock.now()
        let (opinions, newest) = try reading { (replica) throws(ReplicaError) in
            (replica.clockOpinions(at: now), replica.clockLast.milliseconds)
        }
        return ClockJudgement(
            now: now.wallMilliseconds, newestStamp: newest,
            opinions: opinions.map {
                ClockJudgement.Opinion(
                    device: named($0.device), skewMilliseconds: $0.skewMilliseconds,
                    agoMilliseconds: now.wallMilliseconds - $0.wallMilliseconds)
            })
    }
}

// The content of the home.
extension Node {
    private static var rowsPerStep: Int { 256 }
    private static var bytesPerStep: Int { 256 << 10 }

    private func contentFindings(
        _ bytes: Int64, hasStructure: Bool, _ progress: @Sendable (Int, Int) -> Void
    ) async throws(LinnetError) -> [HealthFinding] {
        guard let source = homeDesk.store else { throw absence }
        var rows: StoreCheck
        do throws(StorageError) {
            rows = try StoreCheck(source)
        } catch {
            return [ContentText.unreadable(error)]
        }
        if hasStructure { rows.checkStructure(source) }
        var batches = try reading { (replica) throws(ReplicaError) in BatchCheck(replica) }
        let total = rows.totalRows + batches.total
        while !rows.isDone || !batches.isDone {
            // Both go on at the same pace, so that the rest takes as long as it seems.
            let areRowsBehind =
                rows.checkedRows * max(1, batches.total) <= batches.checked * max(1, rows.totalRows)
            if batches.isDone || (areRowsBehind && !rows.isDone) {
                rows.step(source, rows: Self.rowsPerStep)
            } else {
                do throws(ReplicaError) {
                    perform(
                        try replica?.go(
                            on: &batches, bytes: Self.bytesPerStep, at: SystemClock.now()) ?? [])
                } catch {
                    throw failed(error)
                }
            }
            progress(min(total, rows.checkedRows + batches.checked), total)
            await Task.yield()
            guard homeDesk.store === source else { throw absence }
        }
        followWarnings()
        return [
            hasStructure
                ? ContentText.structure(rows, bytes)
                : HealthFinding(
                    "structure", .unchecked, "a running node cannot wait for this check",
                    remedy: "Stop 'linnet run' and run 'linnet doctor --deep' again."),
            ContentText.rows(rows), ContentText.batches(batches),
        ]
    }
}
