import LinnetReplication
import LinnetSystem
import LinnetWire

/// The outcome of a compaction.
public struct CompactionReport: Equatable, Sendable {
    /// The transactions that were folded into what they came to, and are not kept any more.
    public let folded: Int
    /// The transactions that are kept as they were written.
    public let kept: Int
    /// The bytes of those transactions.
    public let keptBytes: Int
    /// The records that stand for what was folded, now and before.
    public let records: Int
    /// The bytes of those records.
    public let recordBytes: Int
    /// The sentences that say what holds more back; empty when nothing does.
    public let holdbacks: [String]
}

extension Node {
    /// Folds older changes that every device of the group holds into what they came to, and forgets
    /// them as they were written. What records show stays the same; their history begins later.
    ///
    /// Works in steps; writes and sessions go on in between.
    ///
    /// - Parameters:
    ///   - days: changes of the last days stay as they are; 7 unless said otherwise.
    ///   - lapsedDays: a device that was silent for so long holds nothing back, and has to join
    ///     again when it comes back; nil to wait for every device.
    ///   - progress: learns how many transactions were folded, and how many were kept before.
    public func compact(
        keepingDays days: Int = 7, lapsedDays: Int? = nil,
        _ progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws(LinnetError) -> CompactionReport {
        try running()
        var (folded, holdbacks): (Int, [CompactionHoldback]) = (0, [])
        let total = Int(clamping: replica?.batchesStored ?? 0)
        while true {
            let step = try compactStep(days, lapsedDays)
            folded += step.batches
            for holdback in step.holdbacks where !holdbacks.contains(holdback) {
                holdbacks.append(holdback)
            }
            progress(folded, max(folded, total))
            if step.isDone { break }
            await Task.yield()
        }
        let (log, base) = try totals()
        return CompactionReport(
            folded: folded, kept: log.count, keptBytes: log.bytes, records: base.count,
            recordBytes: base.bytes, holdbacks: holdbacks.map(sentence))
    }

    private func compactStep(
        _ days: Int, _ lapsedDays: Int?
    ) throws(LinnetError) -> CompactionProgress {
        try running()
        let now = SystemClock.now()
        let day: Int64 = 86_400_000
        do {
            guard
                let (step, effects) = try replica?.compact(
                    lapsedBefore: lapsedDays.map {
                        now.wallMilliseconds - Int64(clamping: $0) * day
                    }
                        ?? .min,
                    keptFrom: now.wallMilliseconds - Int64(clamping: days) * day, at: now)
            else { throw LinnetError.stopped }
            perform(effects)
            return step
        } catch let error as ReplicaError {
            throw failed(error)
        } catch {
            throw .stopped
        }
    }

    private func totals() throws(LinnetError) -> (
        log: (count: Int, bytes: Int), base: (count: Int, bytes: Int)
    ) {
        do throws(ReplicaError) {
            guard let totals = try replica?.logAndBase() else { return ((0, 0), (0, 0)) }
            return totals
        } catch {
            throw failed(error)
        }
    }

    private func sentence(_ holdback: CompactionHoldback) -> String {
        switch holdback {
        case .neverMet(let device):
            "\(named(device).name) was never met here, so that it is not known what it holds"
        case .behind(let device, let heard):
            "\(named(device).name) lacked changes when it was last heard, "
                + Ago.words(SystemClock.now().wallMilliseconds - heard)
        case .forked(let device):
            "\(named(device).name) wrote two histories, as a copy of its home does; what it wrote"
                + " to is not folded"
        case .saidAgain(let device):
            "\(named(device).name) said again what its disk had lost, which is not folded"
        case .unknownChanges(let device):
            "\(named(device).name) wrote what this version of the application does not know"
        case .tooLarge(let key):
            "the record \(name(of: key))/\(key.record) is too large to be held here"
        case .unreadable(let device):
            "changes of \(named(device).name) are damaged here, or wait for keys"
        case .mailbox:
            "devices exchange through a mailbox, where changes are left as they were written"
        case .noKeys: "this device holds no keys under which it could write"
        }
    }
}
