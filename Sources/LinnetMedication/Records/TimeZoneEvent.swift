package import LinnetCRDT

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
    package init?(_ record: RecordView) {
        typealias Fields = Schema.TimeZoneEventFields
        guard let from = record.text(Fields.from), let to = record.text(Fields.to),
            let at = record.instant(Fields.at)
        else { return nil }
        self.init(
            change: ZoneChange(id: record.id, from: from, to: to, at: at),
            detection: Term(record.text(Fields.detection) ?? ""),
            device: record.text(Fields.device))
    }

    /// The record of the log.
    package var record: RecordView {
        typealias Fields = Schema.TimeZoneEventFields
        return RecordView(
            of: Schema.timeZoneEvent, id: change.id,
            [
                (Fields.from, .text(change.from)), (Fields.to, .text(change.to)),
                (Fields.detection, .text(detection.text)),
                (Fields.at, .instant(change.at.milliseconds)), (Fields.device, .optional(device)),
            ])
    }
}
