import LinnetCRDT

/// A device's change of time zone with what the log keeps beside it.
package struct TimeZoneEvent: Equatable, Sendable {
    /// The change.
    package let change: ZoneChange
    /// The way in which it was noticed.
    package let detection: Term<ZoneChange.Detection>
    /// The device that noticed it.
    package let device: String?

    /// Joins the parts.
    package init(change: ZoneChange, detection: Term<ZoneChange.Detection>, device: String?) {
        self.change = change
        self.detection = detection
        self.device = device
    }

    /// Reads a record of the log; nil when it does not say which zone it is since when.
    package init?(_ record: StoredRecord) {
        guard let from = record.text(1), let to = record.text(2), let at = record.instant(4)
        else { return nil }
        self.init(
            change: ZoneChange(id: record.id, from: from, to: to, at: at),
            detection: Term(record.text(3) ?? ""), device: record.text(5))
    }

    /// The record of the log.
    package var record: StoredRecord {
        StoredRecord(
            collection: Schema.timeZoneEvent.id, id: change.id,
            numbered: [
                .text(change.from), .text(change.to), .text(detection.text),
                .instant(change.at.milliseconds), .optional(device),
            ])
    }
}
