public import LinnetCRDT
import LinnetWire

extension MedicationPlanner {
    /// A new medication, with its schedule and first stock where these are given.
    public func add(
        _ draft: MedicationDraft, timing: TimingDraft = TimingDraft(), stock: Decimal64? = nil
    ) throws(MedicationError) -> MedicationPlan {
        if let known = book.medication(intent) { return MedicationPlan([], medication: known.id) }
        guard case .set = draft.name else { throw .invalid(.name, .notEmpty) }
        let empty = Medication(
            RecordView(collection: Schema.medication.id, id: intent, fields: []))
        var changes = try self.changes(draft, of: empty)
        changes.append(.set(FieldWrite(Schema.MedicationFields.isActive, .bool(true))))
        var writes = [Write(Schema.medication.id, intent, changes)]
        if case .set(let frequency) = draft.frequency {
            try check(frequency, try timing.isEmpty ? [] : [newTiming(timing, over: nil)])
        }
        if !timing.isEmpty {
            let made = try newTiming(timing, over: nil)
            writes.append(try newSchedule(intent, of: intent, made))
        }
        if let stock {
            guard stock >= .zero else { throw .invalid(.stock, .notNegative) }
            writes.append(counted(intent, key: refillKey, stock))
        }
        return MedicationPlan(writes, medication: intent)
    }

    /// Other values for a medication, other times for its schedule.
    ///
    /// - Parameters:
    ///   - id: the medication.
    ///   - draft: its new values; what is not entered stays.
    ///   - timing: the new times; what is not entered stays.
    ///   - schedule: the schedule that gets other times; nil for the only active one, and a
    ///     new one where there is none.
    public func edit(
        _ id: RecordID, _ draft: MedicationDraft, timing: TimingDraft = TimingDraft(),
        schedule: RecordID? = nil
    ) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        let changes = try self.changes(draft, of: medication)
        var writes = [Write(Schema.medication.id, id, changes)]
        if case .set(let frequency) = draft.frequency {
            let active = book.schedules(of: id).filter(\.isActive)
            let others = active.filter { $0.id != schedule && active.count > 1 }
            let old = active.first { $0.id == schedule } ?? active.first
            try check(
                frequency,
                try timing.isEmpty
                    ? active.compactMap(\.timing)
                    : others.compactMap(\.timing) + [newTiming(timing, over: old?.timing)])
        }
        if !timing.isEmpty { writes += try reschedule(id, timing, schedule) }
        return MedicationPlan(writes, medication: id)
    }

    /// Ends a medication: nothing is due any more, what was recorded stays.
    public func stop(_ id: RecordID) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        var writes: [Write] = []
        if medication.isActive {
            writes.append(
                Write(
                    Schema.medication.id, id,
                    [.set(FieldWrite(Schema.MedicationFields.isActive, .bool(false)))]))
        }
        for schedule in book.schedules(of: id) where schedule.isActive {
            let zone = try known(schedule.timing?.referenceZone ?? zone)
            let today = zone.local(at: now).day
            let end = min(schedule.endDay ?? today, today)
            writes.append(
                Write(
                    Schema.schedule.id, schedule.id,
                    [
                        .set(FieldWrite(Schema.ScheduleFields.isActive, .bool(false))),
                        .set(FieldWrite(Schema.ScheduleFields.endDate, .date(end.number))),
                    ]))
        }
        return MedicationPlan(writes, medication: id)
    }

    /// Deletes a medication that was stopped before; its history is kept.
    public func delete(_ id: RecordID) throws(MedicationError) -> MedicationPlan {
        if book.deleted[id] != nil { return MedicationPlan([], medication: id) }
        guard try !medication(id).isActive else {
            throw .invalid(.medication, .stoppedFirst)
        }
        return MedicationPlan(
            [Write(Schema.medication.id, id, [.delete])], medication: id)
    }

    /// Brings back a medication that was stopped or deleted, with its schedules from now on.
    ///
    /// The schedules go on as new ones: what was due while it was stopped stays not due. Where
    /// another one of its name is there by now, `isAnother` says that both are meant.
    public func restore(
        _ id: RecordID, isAnother: Bool = false
    ) throws(MedicationError) -> MedicationPlan {
        guard let medication = book.medication(id) else { throw .invalid(.medication, .exists) }
        let isDeleted = book.deleted[id] != nil
        if !isDeleted, medication.isActive { return MedicationPlan([], medication: id) }
        if !isAnother { try checkIsNew(medication.name, of: id) { $0.isActive } }
        var changes: [Change] = isDeleted ? [.restore] : []
        changes.append(.set(FieldWrite(Schema.MedicationFields.isActive, .bool(true))))
        var writes = [Write(Schema.medication.id, id, changes)]
        let stopped = book.schedules(of: id).filter { !$0.isActive }
        let last = stopped.compactMap(\.endDay).max()
        for (number, old) in stopped.filter({ $0.endDay == last }).enumerated() {
            guard let timing = old.timing, let name = numbered(number) else { continue }
            let again = try Timing(
                pattern: timing.pattern, daysOfWeek: timing.daysOfWeek,
                referenceZone: timing.referenceZone, shift: timing.shift, since: now)
            writes.append(try newSchedule(name, of: id, again))
        }
        return MedicationPlan(writes, medication: id)
    }

    /// Adds to the stock.
    public func refill(
        _ id: RecordID, by amount: Decimal64
    ) throws(MedicationError) -> MedicationPlan {
        _ = try medication(id)
        guard amount > .zero else { throw .invalid(.stock, .positive) }
        return MedicationPlan([counted(id, key: refillKey, amount)], medication: id)
    }

    /// Sets the stock to what was counted: it takes in account all doses known here, and no others.
    public func recount(
        _ id: RecordID, to amount: Decimal64
    ) throws(MedicationError) -> MedicationPlan {
        _ = try medication(id)
        guard amount >= .zero else { throw .invalid(.stock, .notNegative) }
        let write = Write(
            Schema.stock.id, id, [.recount(field: Schema.StockFields.stock, .decimal(amount))])
        return MedicationPlan([write], medication: id)
    }

    private var refillKey: String { "refill@" + intent.description }

    /// The change of a stock under a key.
    func counted(_ id: RecordID, key: String, _ amount: Decimal64) -> Write {
        Write(
            Schema.stock.id, id,
            [.count(field: Schema.StockFields.stock, key: key, amount: .decimal(amount))])
    }

    /// Identifiers for several records of one command.
    private func numbered(_ number: Int) -> RecordID? {
        number == 0 ? intent : RecordID(intent.description.prefix(36) + "+\(number)")
    }
}
