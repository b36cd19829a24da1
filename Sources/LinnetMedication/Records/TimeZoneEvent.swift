package import LinnetCRDT

/// A device's change of time zone, as the log keeps it.
package struct TimeZoneEvent: Equatable, Sendable {
    /// The identifier: the UTC month, a slash and the intent.
    package let id: RecordID
    /// The zone before, by its IANA name; nil on a first start.
    package let from: String?
    /// The zone since.
    package let to: String
    /// How it was noticed.
    package let detection: Term<ZoneDetection>
    /// When it was noticed.
    package let at: Instant
    /// The device that noticed it.
    package let device: String?

    /// Joins the parts.
    package init(
        id: RecordID, from: String?, to: String, detection: Term<ZoneDetection>, at: Instant,
        device: String?
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.detection = detection
        self.at = at
        self.device = device
    }

    /// Reads a record of the log; nil when it does not say which zone it is since when.
    package init?(_ record: StoredRecord) {
        guard let to = record.text(2), let at = record.instant(4) else { return nil }
        self.init(
            id: record.id, from: record.text(1), to: to, detection: Term(record.text(3) ?? ""),
            at: at, device: record.text(5))
    }

    /// The record of the log.
    package var record: StoredRecord {
        StoredRecord(
            collection: Schema.timeZoneEvent.id, id: id,
            numbered: [
                .optional(from), .text(to), .text(detection.text), .instant(at.milliseconds),
                .optional(device),
            ])
    }
}
