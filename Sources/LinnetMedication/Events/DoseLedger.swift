package import LinnetCRDT
import LinnetWire

/// All events of the log, by the doses that they are about.
///
/// Numbers stand for identifiers and one sorted list for all doses, so that years of events are
/// taken in within milliseconds and one more within microseconds.
package struct DoseLedger: Sendable {
    private var records: [RecordView?] = []
    private var places = OrderedTable<RecordID, Int32>()
    private var entries: [DoseEntry] = []
    private var sources = NameNumbers()
    private var additionals = NameNumbers()
    /// Records that do not say what happened to which dose.
    private(set) var unreadable = OrderedSet<RecordID>()

    /// No event.
    init() {}

    /// The number of events that are known.
    package var count: Int { places.count }

    /// The earliest scheduled instant of which something was recorded.
    var firstOccurrence: Instant? {
        entries.first { $0.part == DoseEntry.ofSchedule }
            .map { Instant(milliseconds: $0.scheduled) }
    }

    /// Takes in many events at once; of two with one identifier the first stays.
    mutating func insert(_ new: [RecordView]) {
        for record in new { append(record) }
        sort()
    }

    /// Takes in one of many events; `sort` ends them.
    mutating func append(_ record: RecordView) {
        if let entry = admit(record) { entries.append(entry) }
    }

    /// Ends the taking in of many events.
    mutating func sort() { entries.sort() }

    /// Takes in one event; false when it was known.
    @discardableResult
    mutating func insert(_ record: RecordView) -> Bool {
        let known = places.count
        if let entry = admit(record) { entries.insert(entry, at: lowerBound(of: entry)) }
        return places.count > known
    }

    /// Forgets an event that is not held here any more.
    mutating func remove(_ id: RecordID) {
        guard let place = places.removeValue(forKey: id) else { return }
        unreadable.remove(id)
        records[Int(place)] = nil
        entries.removeAll { $0.record == place }
    }

    /// The medications of which something was recorded.
    var medications: [RecordID] {
        OrderedSet(entries.map(\.medication)).elements.map { sources.names[Int($0)] }
    }

    /// The event with an identifier.
    package func event(_ id: RecordID) -> DoseEvent? {
        places[id].flatMap { records[Int($0)] }.flatMap { DoseEvent($0) }
    }

    private mutating func admit(_ record: RecordView) -> DoseEntry? {
        guard places[record.id] == nil else { return nil }
        let place = Int32(clamping: records.count)
        places[record.id] = place
        records.append(record)
        if let entry = entry(of: record, at: place) { return entry }
        unreadable.insert(record.id)
        return nil
    }

    /// One walk over the fields: this is done for every event of years.
    private mutating func entry(of record: RecordView, at place: Int32) -> DoseEntry? {
        var (medicine, planned): (Int32?, Int32?)
        var (scheduled, at): (Int64?, Int64?)
        var (kind, undone): (String?, String?)
        var (isPlanned, isAdditional) = (false, false)
        // Only what is needed is looked at: copying a value costs more than all else here.
        for field in record.fields {
            switch field.field {
            case 1:
                if case .text(let text)? = field.values.first {
                    medicine = sources.number(of: text)
                }
            case 2:
                if case .text(let text)? = field.values.first {
                    planned = sources.number(of: text)
                    isPlanned = true
                }
            case 3: if case .instant(let time)? = field.values.first { scheduled = time }
            case 4: if case .text(let text)? = field.values.first { kind = text }
            case 5: if case .instant(let time)? = field.values.first { at = time }
            case 10: if case .bool(let flag)? = field.values.first { isAdditional = flag }
            case 11: if case .text(let text)? = field.values.first { undone = text }
            default: break
            }
        }
        guard let medicine, let kind, let at else { return nil }
        let known = DoseEventKind(rawValue: kind)
        var (source, part) = (medicine, DoseEntry.asNeeded)
        if isAdditional {
            var name = record.id
            if known == .undone {
                let first = undone?.split(separator: "\n").first.flatMap { RecordID(String($0)) }
                guard let first else { return nil }
                name = first
            }
            part = DoseEntry.firstAdditional + additionals.number(of: name)
            // Of the events of an additional dose only the first need be found by its time.
            scheduled = scheduled ?? 0
        } else if isPlanned {
            guard let planned else { return nil }
            (source, part) = (planned, DoseEntry.ofSchedule)
        }
        guard let scheduled else { return nil }
        return DoseEntry(
            scheduled: scheduled, source: source, part: part, record: place, medication: medicine,
            at: at, kind: known)
    }

    private func lowerBound(of entry: DoseEntry) -> Int {
        if let last = entries.last, last < entry { return entries.count }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle] < entry { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension DoseLedger {
    /// Returns what stands of an occurrence.
    func summary(of occurrence: Occurrence) -> DoseSummary {
        let key = DoseKey.occurrence(
            schedule: occurrence.schedule, scheduled: occurrence.scheduled)
        let group = group(key)
        if group.isEmpty { return DoseSummary() }
        if group.count > 1 {
            return dose(ofGroup: group, key: key).map { DoseSummary($0) } ?? DoseSummary()
        }
        // Nearly all doses have one event.
        let entry = entries[group.lowerBound]
        let at = Instant(milliseconds: entry.at)
        let outcome: DoseOutcome =
            switch entry.kind {
            case .taken: .taken(at: at)
            case .skipped: .skipped(at: at)
            case .snoozed: .snoozed(at: at)
            case .undone, nil: .open
            }
        guard outcome != .open, let record = records[Int(entry.record)] else {
            return DoseSummary()
        }
        return DoseSummary(
            outcome: outcome, witnesses: outcome.isTaken ? 1 : 0, content: DoseContent(record))
    }

    /// A dose with all that was recorded about it; nil when nothing was.
    package func dose(_ key: DoseKey) -> Dose? { dose(ofGroup: group(key), key: key) }

    /// The doses of which something was recorded and which were due within a range, or taken in it
    /// without having been due.
    package func doses(in range: Range<Instant>) -> [Dose] {
        doses(in: range) { _ in true }
    }

    /// The same, without the occurrences that are not needed.
    func doses(in range: Range<Instant>, isNeeded: (DoseMark) -> Bool) -> [Dose] {
        var place = lowerBound(from: range.lowerBound.milliseconds)
        var doses: [Dose] = []
        while place < entries.count, entries[place].scheduled < range.upperBound.milliseconds {
            let group = place..<end(ofGroupAt: place)
            let first = entries[place]
            place = group.upperBound
            if first.part == DoseEntry.ofSchedule {
                let mark = DoseMark(
                    scheduled: Instant(milliseconds: first.scheduled),
                    schedule: sources.names[Int(first.source)])
                if !isNeeded(mark) { continue }
            }
            if let dose = dose(ofGroup: group, key: key(of: first)) { doses.append(dose) }
        }
        return doses
    }

    /// The doses that somebody took within a range of time, by the first of their witnesses,
    /// whenever they were due.
    func doses(takenIn range: Range<Instant>) -> [Dose] {
        let (low, high) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
        var last: DoseEntry?
        var doses: [(at: Instant, dose: Dose)] = []
        for entry in entries where entry.kind == .taken && low <= entry.at && entry.at < high {
            // Entries of one dose lie beside each other.
            if let last, last.isSameDose(as: entry) { continue }
            last = entry
            guard let dose = dose(key(of: entry)), let first = dose.taken.first else { continue }
            doses.append((first.at, dose))
        }
        return doses.sorted {
            ($0.at, $0.dose.key.stockKey) < ($1.at, $1.dose.key.stockKey)
        }.map(\.dose)
    }

    /// The instants of a schedule, within a range, of which something was recorded, ascending.
    func instants(of schedule: RecordID, in range: Range<Instant>) -> [Instant] {
        guard let source = sources.known(schedule) else { return [] }
        var place = lowerBound(from: range.lowerBound.milliseconds)
        var instants: [Instant] = []
        while place < entries.count, entries[place].scheduled < range.upperBound.milliseconds {
            let entry = entries[place]
            place += 1
            guard entry.source == source, entry.part == DoseEntry.ofSchedule else { continue }
            if instants.last?.milliseconds != entry.scheduled {
                instants.append(Instant(milliseconds: entry.scheduled))
            }
        }
        return instants
    }

    /// The events of a range of time, ascending by when they happened.
    package func events(in range: Range<Instant>) -> [DoseEvent] {
        let (low, high) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
        let found = entries.filter { low <= $0.at && $0.at < high }
        return found.compactMap { records[Int($0.record)] }.compactMap { DoseEvent($0) }
            .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    /// The identifiers of events of kinds that only a newer version knows.
    package var unknownEvents: [RecordID] {
        let found = entries.filter { $0.kind == nil }.compactMap { records[Int($0.record)]?.id }
        return (found + unreadable.elements).sorted()
    }

    private func lowerBound(from scheduled: Int64) -> Int {
        lowerBound(
            of: DoseEntry(
                scheduled: scheduled, source: .min, part: .min, record: .min, medication: 0, at: 0,
                kind: nil))
    }

    private func end(ofGroupAt place: Int) -> Int {
        var end = place + 1
        while end < entries.count, entries[end].isSameDose(as: entries[place]) { end += 1 }
        return end
    }

    private func group(_ key: DoseKey) -> Range<Int> {
        var (scheduled, source, part): (Int64, Int32?, Int32?)
        switch key {
        case .occurrence(let schedule, let instant):
            scheduled = instant.milliseconds
            source = sources.known(schedule)
            part = DoseEntry.ofSchedule
        case .asNeeded(let medication, let slot):
            scheduled = slot.milliseconds
            source = sources.known(medication)
            part = DoseEntry.asNeeded
        case .additional(let event):
            scheduled = additionalTime(event)
            source = self.event(event).flatMap { sources.known($0.medication) }
            part = additionals.known(event).map { $0 + DoseEntry.firstAdditional }
        }
        guard let source, let part else { return 0..<0 }
        let first = lowerBound(
            of: DoseEntry(
                scheduled: scheduled, source: source, part: part, record: .min, medication: 0,
                at: 0, kind: nil))
        guard first < entries.count, entries[first].scheduled == scheduled,
            entries[first].source == source, entries[first].part == part
        else { return first..<first }
        return first..<end(ofGroupAt: first)
    }

    private func additionalTime(_ event: RecordID) -> Int64 {
        self.event(event)?.scheduled?.milliseconds ?? 0
    }

    private func dose(ofGroup group: Range<Int>, key: DoseKey) -> Dose? {
        let events = group.compactMap { records[Int(entries[$0].record)] }
        return Dose(key: key, events: events.compactMap { DoseEvent($0) })
    }

    private func key(of entry: DoseEntry) -> DoseKey {
        let scheduled = Instant(milliseconds: entry.scheduled)
        switch entry.part {
        case DoseEntry.ofSchedule:
            return .occurrence(
                schedule: sources.names[Int(entry.source)], scheduled: scheduled)
        case DoseEntry.asNeeded:
            return .asNeeded(medication: sources.names[Int(entry.source)], slot: scheduled)
        default:
            let number = Int(entry.part - DoseEntry.firstAdditional)
            return .additional(event: additionals.names[number])
        }
    }
}
