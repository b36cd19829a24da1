public import LinnetMedication

/// Everything that faces need, as of one instant; a widget has nothing else.
public struct FaceSnapshot: Equatable, Sendable {
    /// The version that this code writes and reads.
    public static let version: UInt64 = 2
    /// Longest snapshot in bytes.
    public static let maximumBytes = 1 << 20
    /// The most that a snapshot may be ahead of the reader's clock, in milliseconds.
    public static let toleranceMilliseconds: Int64 = 60_000

    /// The instant at which the facts were known to be so.
    public var asOf: Instant
    /// The digest of the records that the facts follow from, as text.
    public var frontier: String
    /// From when nothing in it may be stated.
    public var expires: Instant
    /// The zone of the clocks on the faces.
    public var zone: FaceZone
    /// The facts that are known.
    public var facts: FaceFacts

    /// A snapshot.
    public init(
        asOf: Instant, frontier: String, expires: Instant, zone: FaceZone, facts: FaceFacts
    ) {
        self.asOf = asOf
        self.frontier = frontier
        self.expires = expires
        self.zone = zone
        self.facts = facts
    }

    /// Returns true when both state the same: they may be of different instants.
    public func statesTheSame(as other: FaceSnapshot) -> Bool {
        facts == other.facts && zone.isLike(other.zone)
    }

    /// Throws unless the snapshot may be believed at an instant.
    public func check(at now: Instant) throws(FacesError) {
        let ahead = asOf.milliseconds.subtractingReportingOverflow(now.milliseconds)
        if ahead.overflow && asOf > now || ahead.partialValue > Self.toleranceMilliseconds {
            throw .fromTheFuture
        }
        if expires <= now { throw .expired }
    }
}

/// The reading that a widget found in the container that it shares with the app.
public enum SnapshotReading: Equatable, Sendable {
    /// A snapshot that may be believed.
    case read(FaceSnapshot)
    /// The device has not been unlocked since it started.
    case locked
    /// Nothing that may be believed.
    case refused(FacesError)

    /// Reads the bytes of the container's file, nil when there is none.
    public init(_ bytes: [UInt8]?, publicKey: [UInt8], at now: Instant) {
        do throws(FacesError) {
            guard let bytes else { throw .missing }
            let snapshot = try FaceSnapshot(opening: bytes, publicKey: publicKey)
            try snapshot.check(at: now)
            self = .read(snapshot)
        } catch {
            self = .refused(error)
        }
    }
}
