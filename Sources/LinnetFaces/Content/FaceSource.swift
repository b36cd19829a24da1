public import LinnetMedication

/// Makes the entries of a face from whatever was found in the shared container.
public struct FaceSource: Sendable {
    /// The face to make.
    public let kind: FaceKind
    /// The reading of the snapshot.
    public let reading: SnapshotReading
    /// For how long it is stated.
    public let freshness: FaceFreshness

    /// A source.
    public init(
        _ kind: FaceKind, _ reading: SnapshotReading, _ freshness: FaceFreshness = FaceFreshness()
    ) {
        self.kind = kind
        self.reading = reading
        self.freshness = freshness
    }

    /// Returns what is said from an instant on.
    public func entry(at now: Instant) -> FaceEntry {
        switch reading {
        case .read(let snapshot):
            do throws(FacesError) {
                try snapshot.check(at: now)
                return FaceMaker(snapshot, freshness).entry(kind, at: now)
            } catch .expired {
                let words = FaceMaker(snapshot, freshness).lastKnown(at: now)
                return FaceEntry(date: now, content: .unknown(kind, .stale(lastKnown: words)))
            } catch {
                return FaceEntry(date: now, content: .unknown(kind, .refused(error)))
            }
        case .locked: return FaceEntry(date: now, content: .locked(kind))
        case .refused(let error):
            return FaceEntry(date: now, content: .unknown(kind, .refused(error)))
        }
    }

    /// Returns the instants at which doses are due between two others, in ascending order.
    func doseTimes(after start: Instant, until end: Instant) -> [Instant] {
        guard case .read(let snapshot) = reading else { return [] }
        let grace = FaceMaker.graceMilliseconds
        return snapshot.facts.doses.flatMap { dose -> [Instant] in
            let wanted: Instant
            switch dose.standing {
            case .open: wanted = dose.time
            case .snoozed(let until): wanted = until
            case .taken, .late, .skipped, .unknown: return []
            }
            return [wanted, wanted.advanced(byMilliseconds: grace)]
        }
        .filter { $0 > start && $0 <= end }.sorted()
    }
}
