public import LinnetCRDT
public import LinnetWire

/// All records of the domain, folded: what every view is made from.
///
/// One changed record is taken in without looking at the others, in any order.
public struct MedicationBook: Sendable {
    /// The medications that are taken, by identifier; stopped ones are among them.
    public private(set) var medications = OrderedTable<RecordID, Medication>()
    /// The medications that were deleted, as far as the book was told.
    public private(set) var deleted = OrderedTable<RecordID, Medication>()
    /// The stocks, by medication.
    public private(set) var stocks = OrderedTable<RecordID, Decimal64>()
    /// The schedules, each with its earlier timings.
    public private(set) var schedules = OrderedTable<RecordID, Schedule>()
    /// The schedules as they are stored.
    package private(set) var scheduleRecords = OrderedTable<RecordID, ScheduleRecord>()
    /// The changes of time zone.
    package private(set) var timeZoneEvents = OrderedTable<RecordID, TimeZoneEvent>()
    /// The changes of schedules, also those that lost against another one.
    public private(set) var adjustments = OrderedTable<RecordID, Adjustment>()
    /// The histories that the adjustments of each schedule add up to.
    package private(set) var histories = OrderedTable<RecordID, AdjustmentHistory>()
    /// The events about doses.
    package private(set) var ledger = DoseLedger()
    /// The totals of whole months, as devices that hold all of them left them.
    package private(set) var totals = OrderedTable<Month, MonthTotal>()
    /// The months of the log from which the records come; the shell says so.
    package var coverage = LogCoverage.everything
    /// True when all medications, schedules and stocks of the group are here; false on a device
    /// that joined and was not in step with it since. The shell says so.
    public package(set) var isInStep = true

    /// A book without records.
    public init() {}

    /// Folds many records.
    package init(_ records: [RecordView]) {
        collect(records)
        finishCollecting()
    }

    /// Takes in some of many records; `finishCollecting` ends them.
    package mutating func collect(_ records: [RecordView]) {
        for record in records {
            if record.collection == Schema.doseEvent.id {
                ledger.append(record)
            } else {
                apply(record)
            }
        }
    }

    /// Ends the taking in of many records.
    package mutating func finishCollecting() { ledger.sort() }

    /// Takes in a record as it is now; records of other collections are passed over.
    package mutating func apply(_ record: RecordView) {
        switch record.collection {
        case Schema.doseEvent.id: ledger.insert(record)
        case Schema.medication.id:
            medications[record.id] = Medication(record)
            deleted[record.id] = nil
        case Schema.stock.id: stocks[record.id] = record.decimal(Schema.StockFields.stock)
        case Schema.schedule.id:
            scheduleRecords[record.id] = ScheduleRecord(record)
            resolve(record.id)
        case Schema.timeZoneEvent.id: timeZoneEvents[record.id] = TimeZoneEvent(record)
        case Schema.scheduleAdjustment.id:
            adjustments[record.id] = Adjustment(record)
            if let schedule = adjustments[record.id]?.schedule { resolve(schedule) }
        case Schema.doseTotal.id:
            if let total = MonthTotal(record) { totals[total.month] = total }
        default: break
        }
    }

    /// Takes in a deleted record: a medication stays known by its name.
    package mutating func bury(_ record: RecordView) {
        remove(record.collection, record.id)
        if record.collection == Schema.medication.id { deleted[record.id] = Medication(record) }
    }

    /// Forgets a record that is not there any more.
    public mutating func remove(_ collection: UInt32, _ id: RecordID) {
        switch collection {
        case Schema.doseEvent.id: ledger.remove(id)
        case Schema.medication.id: medications[id] = nil
        case Schema.stock.id: stocks[id] = nil
        case Schema.schedule.id:
            scheduleRecords[id] = nil
            resolve(id)
        case Schema.timeZoneEvent.id: timeZoneEvents[id] = nil
        case Schema.scheduleAdjustment.id:
            let schedule = adjustments.removeValue(forKey: id)?.schedule
            if let schedule { resolve(schedule) }
        case Schema.doseTotal.id: Month(id.description).map { totals[$0] = nil }
        default: break
        }
    }

    /// The medications that have a schedule, or of which something was recorded.
    package var namedMedications: OrderedSet<RecordID> {
        OrderedSet(scheduleRecords.values.compactMap(\.medication) + ledger.medications)
    }

    /// A medication, also a deleted one.
    public func medication(_ id: RecordID) -> Medication? { medications[id] ?? deleted[id] }

    /// The schedules of a medication, as they are stored.
    package func schedules(of medication: RecordID) -> [ScheduleRecord] {
        scheduleRecords.values.filter { $0.medication == medication }
    }

    /// Joins a schedule with the timings that its adjustments replaced.
    private mutating func resolve(_ id: RecordID) {
        guard let record = scheduleRecords[id], let timing = record.timing else {
            schedules[id] = nil
            histories[id] = nil
            return
        }
        let history = AdjustmentHistory(
            schedule: id, timing: timing, adjustments: adjustments.values)
        histories[id] = history
        // Activity and what a medication says about its days is judged by the views, which know
        // that what was recorded stays.
        schedules[id] = Schedule(
            id: id, medication: record.medication, timing: timing, earlier: history.earlier,
            isActive: true, startDay: record.startDay, endDay: record.endDay)
    }
}
