public import LinnetMedication

/// Makes the snapshots that an app leaves for its widgets.
public struct SnapshotMaker: Sendable {
    /// The zone of the clocks on the faces.
    public let zone: ZoneRules
    /// The rules of all zones that schedules name.
    public let zones: ZoneTable
    /// The time for which a snapshot holds, in milliseconds.
    public var validMilliseconds: Int64

    /// A maker of snapshots with clocks in a zone.
    public init(
        zone: ZoneRules, zones: ZoneTable, validMilliseconds: Int64 = FaceSnapshot.validMilliseconds
    ) {
        self.zone = zone
        self.zones = zones
        self.validMilliseconds = validMilliseconds
    }

    /// Makes a snapshot of a book; throws `unknownZone` and `rangeTooLong`.
    ///
    /// - Parameters:
    ///   - book: all that is known.
    ///   - now: the moment at which it is known.
    ///   - frontier: a text that names the state of the records, such as a home's digest.
    public func snapshot(
        of book: MedicationBook, asOf now: Instant, frontier: String
    ) throws(MedicationError) -> FaceSnapshot {
        try FaceSnapshot(
            of: book, asOf: now, frontier: frontier, zone: zone, zones: zones,
            validMilliseconds: validMilliseconds)
    }
}
