package import LinnetCRDT

extension Adjustment {
    /// The strategy of a change that has nothing to do with travel.
    public static let edited = "edited"

    /// Reads a record of the log; nil when only a newer version can.
    package init?(_ record: RecordView) {
        typealias Fields = Schema.AdjustmentFields
        guard let schedule = record.record(Fields.schedule),
            let before = record.text(Fields.before), let after = record.text(Fields.after),
            let at = record.instant(Fields.at)
        else { return nil }
        do throws(MedicationError) {
            try self.init(
                id: record.id, schedule: schedule, zoneChange: record.record(Fields.timeZoneEvent),
                strategy: record.text(Fields.strategy) ?? "", beforeText: before, afterText: after,
                at: at)
            device = record.text(Fields.device)
        } catch {
            return nil
        }
    }

    /// The record of the log, as a device writes it.
    package func record(device: String?) -> RecordView {
        typealias Fields = Schema.AdjustmentFields
        return RecordView(
            of: Schema.scheduleAdjustment, id: id,
            [
                (Fields.schedule, .text(schedule.description)),
                (Fields.timeZoneEvent, .optional(zoneChange?.description)),
                (Fields.strategy, .text(strategy)), (Fields.before, .text(beforeText)),
                (Fields.after, .text(afterText)), (Fields.at, .instant(at.milliseconds)),
                (Fields.device, .optional(device)),
            ])
    }
}
