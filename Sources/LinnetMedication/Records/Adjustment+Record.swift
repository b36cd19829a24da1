import LinnetCRDT

extension Adjustment {
    /// The strategy of a change that has nothing to do with travel.
    package static let edited = "edited"

    /// Reads a record of the log; nil when only a newer version can.
    package init?(_ record: StoredRecord) {
        guard let schedule = record.record(1), let before = record.text(4),
            let after = record.text(5), let at = record.instant(6)
        else { return nil }
        do throws(MedicationError) {
            try self.init(
                id: record.id, schedule: schedule, zoneChange: record.record(2),
                strategy: record.text(3) ?? "", beforeText: before, afterText: after, at: at)
            device = record.text(7)
        } catch {
            return nil
        }
    }

    /// The record of the log, as a device writes it.
    package func record(device: String?) -> StoredRecord {
        StoredRecord(
            collection: Schema.scheduleAdjustment.id, id: id,
            numbered: [
                .text(schedule.description), .optional(zoneChange?.description), .text(strategy),
                .text(beforeText), .text(afterText), .instant(at.milliseconds), .optional(device),
            ])
    }
}
