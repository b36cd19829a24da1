public import LinnetCRDT

/// The use cases over a repository, at one moment, in one person's zone.
public struct MedicationDiary<Repository: MedicationRepository>: MedicationUseCases {
    /// The reasons for which nothing was changed.
    public typealias Failure = MedicationFailure<Repository.Failure>

    /// The place of the records.
    public private(set) var repository: Repository
    /// The moment at which the person acts.
    public var now: Instant
    /// The person's zone, by its IANA name.
    public let zone: String
    /// The rules of all zones that are named.
    public let zones: ZoneTable
    /// The device, as its people call it; nil where events do not name it.
    public let device: String?
    /// A text that tells the device from others of its name, such as the beginning of its
    /// identifier; nil where a name is enough.
    public let witness: String?

    /// A diary over a repository.
    ///
    /// - Parameters:
    ///   - repository: the place of the records.
    ///   - now: the moment at which the person acts.
    ///   - zone: the person's zone, by its IANA name.
    ///   - zones: the rules of that zone and of all others that are named.
    ///   - device: the device, as its people call it.
    ///   - witness: a text that tells the device from others of its name.
    public init(
        _ repository: Repository, at now: Instant, in zone: String, zones: ZoneTable,
        device: String? = nil, witness: String? = nil
    ) {
        self.repository = repository
        self.now = now
        self.zone = zone
        self.zones = zones
        self.device = device
        self.witness = witness
    }

    /// Reads all that is known.
    public func book() throws(Failure) -> MedicationBook {
        do throws(Repository.Failure) {
            return try repository.book()
        } catch {
            throw .repository(error)
        }
    }

    /// Plans under an intent, and writes the plan.
    private mutating func carryOut(
        _ intent: String,
        _ plan: (MedicationPlanner) throws(MedicationError) -> MedicationPlan
    ) throws(Failure) -> MedicationPlan {
        let book = try book()
        let planned: MedicationPlan
        do throws(MedicationError) {
            planned = try plan(
                try MedicationPlanner(
                    book: book, now: now, zone: zone, zones: zones, device: device,
                    witness: witness, intent: intent))
        } catch {
            throw .refused(error)
        }
        if planned.isDone { return planned }
        do throws(Repository.Failure) {
            try repository.commit(planned)
        } catch {
            throw .repository(error)
        }
        return planned
    }
}

extension MedicationDiary {
    /// Adds a medication, with its schedule and first stock where these are given.
    @discardableResult
    public mutating func add(
        _ draft: MedicationDraft, timing: TimingDraft = TimingDraft(), stock: Decimal64? = nil,
        intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.add(draft, timing: timing, stock: stock)
        }
    }

    /// Gives a medication other values, and its only active schedule other times.
    @discardableResult
    public mutating func edit(
        _ medication: RecordID, _ draft: MedicationDraft, timing: TimingDraft = TimingDraft(),
        intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.edit(medication, draft, timing: timing)
        }
    }

    /// Ends a medication: nothing is due any more, what was recorded stays.
    @discardableResult
    public mutating func stop(
        _ medication: RecordID, intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in try planner.stop(medication) }
    }

    /// Deletes a medication that was stopped before; its history is kept.
    @discardableResult
    public mutating func delete(
        _ medication: RecordID, intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in try planner.delete(medication) }
    }

    /// Brings a stopped or deleted medication back, with its schedules from now on.
    @discardableResult
    public mutating func restore(
        _ medication: RecordID, intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.restore(medication)
        }
    }

    /// Adds to the stock.
    @discardableResult
    public mutating func refill(
        _ medication: RecordID, by amount: Decimal64, intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.refill(medication, by: amount)
        }
    }

    /// Sets the stock to what was counted.
    @discardableResult
    public mutating func recount(
        _ medication: RecordID, to amount: Decimal64, intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.recount(medication, to: amount)
        }
    }

    /// Records a dose as taken.
    @discardableResult
    public mutating func take(
        _ medication: RecordID, _ note: DoseNote = DoseNote(), intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.take(medication, note)
        }
    }

    /// Records a dose as left out on purpose.
    @discardableResult
    public mutating func skip(
        _ medication: RecordID, reason: SkipReason? = nil, _ note: DoseNote = DoseNote(),
        intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.skip(medication, reason: reason?.rawValue, note)
        }
    }

    /// Puts a dose off for ten minutes.
    @discardableResult
    public mutating func snooze(
        _ medication: RecordID, _ note: DoseNote = DoseNote(), intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.snooze(medication, note)
        }
    }

    /// Takes back the last thing that was recorded of a medication, or of one dose of it.
    @discardableResult
    public mutating func undo(
        _ medication: RecordID, _ note: DoseNote = DoseNote(), intent: String
    ) throws(Failure) -> MedicationPlan {
        try carryOut(intent) { (planner) throws(MedicationError) in
            try planner.undo(medication, note)
        }
    }
}
