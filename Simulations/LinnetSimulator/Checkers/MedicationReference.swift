import LinnetCRDT
import LinnetMedication
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The wishes of people about their medicines, and the sum of them: worked out from the wishes
/// and from who had seen what, without the application's code.
struct MedicationReference {
    static let firstStock = number(100)

    /// A wish that a device tried to carry out.
    struct Entry {
        var deed: MedicationDeed
        /// The device on which it was first tried.
        var device: Int
        var at: Instant
        /// The dose that is meant, by the medication's habit; nil where there is no fixed one.
        var dose: Instant?
    }

    /// In the order in which they were first tried.
    private(set) var entries: [Entry] = []
    private var places: [Int: Int] = [:]
    /// The minutes of the day, UTC, of the doses of each medication that never travels, and when
    /// it was added.
    private(set) var habits: [Int: (minutes: [Int], since: Instant)] = [:]
    private var zones: [Int: String] = [:]
    /// True when schedules move with their people.
    var travels = false

    /// A small whole number.
    static func number(_ number: Int) -> Decimal64 {
        Decimal64(mantissa: Int64(number), exponent: 0) ?? .zero
    }

    /// Notes a wish; returns when it was first tried.
    mutating func begin(_ deed: MedicationDeed, on device: Int, at now: Instant) -> Instant {
        if let place = places[deed.number] { return entries[place].at }
        places[deed.number] = entries.count
        if case .add(let times, _) = deed.kind { habits[deed.medication] = (times, now) }
        entries.append(
            Entry(
                deed: deed, device: device, at: now, dose: dose(of: deed.medication, at: now)))
        return now
    }

    /// The dose that a wish meant when it was first tried.
    func dose(ofDeed number: Int) -> Instant? { places[number].flatMap { entries[$0].dose } }

    mutating func move(_ device: Int, to zone: String) { zones[device] = zone }

    func zone(of device: Int) -> String { zones[device] ?? SimulatedZones.home }

    /// The dose that a person has in mind: the last one that is due, or due within an hour, of the
    /// past day; nil where there is none, and nobody taps then.
    func dose(of medication: Int, at instant: Instant) -> Instant? {
        guard !travels else { return nil }
        let day: Int64 = 86_400_000
        return doses(
            of: medication, from: instant.milliseconds - day,
            until: instant.milliseconds + 3_600_001
        ).last
    }

    /// The doses of a medication that never travels.
    func doses(of medication: Int, from start: Int64, until end: Int64) -> [Instant] {
        guard let habit = habits[medication] else { return [] }
        let day: Int64 = 86_400_000
        var found: [Instant] = []
        for number in start / day - 1...end / day + 1 {
            for minute in habit.minutes {
                let time = number * day + Int64(minute) * 60_000
                if time >= max(start, habit.since.milliseconds), time < end {
                    found.append(Instant(milliseconds: time))
                }
            }
        }
        return found
    }
}

/// A wish that shows on a device, and the batches that carried it out.
struct ShownDeed {
    var entry: MedicationReference.Entry
    var facts: [Int]
}

/// The medicines as a device shows them, worked out by the application's code.
struct MedicationSight {
    let device: Int
    /// The wishes that show.
    let deeds: [ShownDeed]
    let book: MedicationBook
    /// Every dose from the beginning until some days from now.
    var lines: [DoseLine] = []
    let range: Range<Instant>
    /// The reason why the doses could not be listed.
    var problem: String?

    init(_ device: Int, of known: Knowledge) {
        self.device = device
        deeds = known.shownDeeds(device)
        book = MedicationBook(known.medicationRecords(device))
        let start = Instant(milliseconds: DeviceClock.epochMilliseconds)
        let now = Instant(milliseconds: known.wallMilliseconds)
        range = start..<now.advanced(byMinutes: 3 * 1_440)
        do {
            lines = try book.lines(in: range, now: now, zones: SimulatedZones.table)
        } catch {
            problem = "\(error)"
        }
    }
}

extension Knowledge {
    /// The wishes that show on a device.
    func shownDeeds(_ device: Int) -> [ShownDeed] {
        medication.entries.compactMap { entry in
            for commit in catalogue.commits(ofIntent: entry.deed.intent) {
                let parts = catalogue.parts(of: commit)
                if !parts.isEmpty, parts.allSatisfy({ views[device].applied.contains($0) }) {
                    return ShownDeed(entry: entry, facts: parts)
                }
            }
            return nil
        }
    }

    /// True when the author of one wish had seen another one.
    func hasSeen(_ deed: ShownDeed, _ other: ShownDeed) -> Bool {
        deed.facts.contains { fact in
            other.facts.contains { $0 != fact && catalogue.hasSeen(fact, $0) }
        }
    }

    /// The records that show on a device, as the application gets them.
    func medicationRecords(_ device: Int) -> [RecordView] {
        let view = views[device]
        let keys = view.records.keys.filter { (1_000..<2_000).contains($0.collection) }.sorted()
        return keys.compactMap { key in
            guard let state = view.records[key], state.isLive,
                let collection = schemas[view.version].collection(id: key.collection)
            else { return nil }
            return stored(state, of: key, collection)
        }
    }

    private func stored(
        _ state: RecordState, of key: RecordKey, _ collection: LinnetCRDT.Collection
    ) -> RecordView {
        var fields = state.visibleContents.compactMap { shown -> FieldValues? in
            guard let field = collection.field(id: shown.field),
                let values = shown.content.values(of: field)
            else { return nil }
            return FieldValues(field.id, values)
        }
        if case .log(let log)? = state.content(of: 0), let entry = log.entries.first,
            let cells = try? LogCell.decode(entry.payload)
        {
            fields += cells.compactMap { cell in
                collection.field(id: cell.field).flatMap { field in
                    (try? field.values(of: cell.payload)).map { FieldValues(field.id, $0) }
                }
            }
        }
        return RecordView(
            collection: key.collection, id: key.record, fields: fields)
    }

    /// The records of each dose, by the dose.
    func tapsByDose(_ deeds: [ShownDeed]) -> [[ShownDeed]] {
        var doses: [Int64: [ShownDeed]] = [:]
        for deed in deeds {
            guard let dose = deed.entry.dose else { continue }
            switch deed.entry.deed.kind {
            case .take, .undo: doses[dose.milliseconds, default: []].append(deed)
            default: break
            }
        }
        return doses.keys.sorted().compactMap { doses[$0] }
    }

    /// True when a dose counts as taken: some tap that nobody took back who had seen it.
    func stands(_ taps: [ShownDeed]) -> Bool {
        taps.contains { tap in
            guard case .take = tap.entry.deed.kind else { return false }
            return !taps.contains { other in
                if case .undo = other.entry.deed.kind { hasSeen(other, tap) } else { false }
            }
        }
    }
}
