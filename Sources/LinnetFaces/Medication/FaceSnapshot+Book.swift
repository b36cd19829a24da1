import LinnetCRDT
public import LinnetMedication
import LinnetWire

extension FaceSnapshot {
    /// For how long a snapshot holds unless told otherwise, in milliseconds: one day.
    public static let validMilliseconds: Int64 = 86_400_000
    private static let hour: Int64 = 3_600_000
    private static let doses = 512
    private static let history = 20

    /// Takes from a book what faces need, as of `now`, with clocks in `zone`.
    ///
    /// `frontier` names the state of the records. Throws `unknownZone` and `rangeTooLong`.
    public init(
        of book: MedicationBook, asOf now: Instant, frontier: String, zone: ZoneRules,
        zones: ZoneTable, validMilliseconds: Int64 = FaceSnapshot.validMilliseconds
    ) throws(MedicationError) {
        let today = zone.local(at: now).day
        let range =
            zone.start(of: today.advanced(byDays: -6))..<zone.start(of: today.advanced(byDays: 7))
        let lines = try book.lines(in: range, now: now, zones: zones)
        let yesterday = zone.start(of: today.advanced(byDays: -1))
        let recent = lines.filter { $0.scheduled >= yesterday && $0.isScheduled }
        let week = try book.adherence(
            over: today.advanced(byDays: -6)...today, now: now, zone: zone, zones: zones)
        let facts = FaceFacts(
            doses: recent.prefix(Self.doses).map { FaceDose($0, book) },
            days: try Self.days(lines, book, until: today, now, zone, zones),
            knownSince: week.knownSince?.number, streakDays: week.streak.days,
            isStreakWhole: week.streak.isWhole,
            medications: Self.medications(book),
            alerts: Self.troubles(book, zones)
                + (try book.alerts(now: now, zone: zone, zones: zones).prefix(64).compactMap {
                    FaceAlert($0, book)
                }),
            history: Self.history(book, before: now), isInStep: book.isInStep)
        self.init(
            asOf: now, frontier: frontier,
            expires: now.advanced(byMilliseconds: validMilliseconds),
            zone: FaceZone(zone, around: now), facts: facts)
    }

    private static func days(
        _ lines: [DoseLine], _ book: MedicationBook, until today: Day, _ now: Instant,
        _ zone: ZoneRules, _ zones: ZoneTable
    ) throws(MedicationError) -> [FaceDay] {
        var found: [FaceDay] = []
        for day in (0..<7).map({ today.advanced(byDays: $0 - 6) }) {
            // Of days whose events are not held here the totals speak.
            let adherence =
                book.coverage.isEverything
                ? Adherence(lines.filter { zone.local(at: $0.scheduled).day == day })
                : try book.adherence(over: day...day, now: now, zone: zone, zones: zones)
            found.append(FaceDay(day: day.number, taken: adherence.taken, due: adherence.total))
        }
        return Array(found.drop { $0.due == 0 })
    }

    /// Returns the alerts about what keeps the times of schedules from being told, or being agreed.
    private static func troubles(_ book: MedicationBook, _ zones: ZoneTable) -> [FaceAlert] {
        let name = { (id: RecordID) in
            FaceText.clipped(book.briefName(of: book.content(of: id)))
        }
        return book.missingZones(zones).prefix(16).map {
            FaceAlert(
                kind: "missingZone", subject: name($0.medication),
                detail: FaceText.clipped("cannot use zone \($0.zone)"))
        }
            + book.disputes.prefix(16).map {
                FaceAlert(kind: "superseded", subject: name($0.medication), detail: $0.text)
            }
    }

    private static func medications(_ book: MedicationBook) -> [FaceMedication] {
        let active = book.medications.values.filter(\.isActive).map { medication in
            FaceMedication(
                name: FaceText.clipped(medication.name),
                dosage: FaceText.clipped(medication.dosage?.description ?? ""),
                form: FaceText.clipped(medication.form?.text ?? ""))
        }
        return Array(active.sorted { $0.name < $1.name }.prefix(doses))
    }

    private static func history(_ book: MedicationBook, before now: Instant) -> [FaceEvent] {
        let since = now.advanced(byMilliseconds: -48 * hour)
        let until = now.advanced(byMilliseconds: 1)
        // What a second device witnessed happened once.
        var known = OrderedTable<String, Term<DoseEventKind>>()
        let events = book.ledger.events(in: since..<until).sorted {
            $0.at == $1.at ? $0.id < $1.id : $0.at < $1.at
        }.filter { event in
            guard let key = event.key?.stockKey else { return true }
            defer { known[key] = event.kind }
            return known[key] != event.kind
        }.reversed()
        return events.prefix(history).map { event in
            let name = book.briefName(of: event.content ?? book.content(of: event.medication))
            return FaceEvent(
                name: FaceText.clipped(name), event: FaceText.clipped(event.kind.text),
                time: event.at)
        }
    }
}

extension FaceDose {
    /// A dose of a list.
    init(_ line: DoseLine, _ book: MedicationBook) {
        let standing: Standing =
            switch line.status {
            case .upcoming, .due, .missed:
                // A dose that was put off until a moment ago is judged from there.
                if case .snoozed(let at)? = book.ledger.dose(line.key)?.outcome {
                    .snoozed(
                        until: at.advanced(byMilliseconds: DoseStatus.snoozeMilliseconds))
                } else {
                    .open
                }
            case .unknown: .unknown
            case .snoozed(let until): .snoozed(until: until)
            case .skipped: .skipped
            case .taken(_, let isLate): isLate ? .late : .taken
            }
        self.init(
            id: FaceText.clipped(line.key.stockKey), name: FaceText.clipped(line.name),
            dosage: FaceText.clipped(line.dosage?.description ?? ""),
            form: FaceText.clipped(line.form?.text ?? ""), time: line.scheduled,
            label: FaceText.clipped(line.label), standing: standing)
    }
}

extension FaceAlert {
    /// An alert in words; nil for what faces show by themselves.
    init?(_ alert: MedicationAlert, _ book: MedicationBook) {
        let detail: String
        var subject: String?
        switch alert {
        case .lowStock(let stock):
            detail =
                stock.missing.map { _ in stock.text } ?? stock.daysLeft.map {
                    "\(Plural.of($0, "day")) left"
                } ?? "stock low"
        case .expiring(_, let day, let isExpired):
            detail = isExpired ? "expired on \(day)" : "expires on \(day)"
        case .possibleDoubleDose(_, let doses):
            detail = "possible double dose"
            subject = doses.last?.content.map(book.briefName)
        case .aboveMaximum(_, let maximum, let doses):
            detail = "\(FaceWords.doses(doses.count)) in 24 h, at most \(maximum)"
            subject = doses.last?.content.map(book.briefName)
        case .unknown: detail = "update the app"
        case .missed: return nil
        }
        let name =
            subject ?? alert.medication.map { book.briefName(of: book.content(of: $0)) }
            ?? "Newer records"
        self.init(kind: alert.word, subject: FaceText.clipped(name), detail: detail)
    }
}

extension FaceZone {
    /// A zone's rules from two days before an instant to eight days after it.
    public init(_ rules: ZoneRules, around now: Instant) {
        let hour: Int64 = 3_600_000
        let span = { (instant: Instant) in
            Span(
                from: instant, offsetSeconds: Int(rules.offsetSeconds(at: instant)),
                abbreviation: rules.abbreviation(at: instant))
        }
        let isSame = { (left: Span, right: Span) in
            left.offsetSeconds == right.offsetSeconds && left.abbreviation == right.abbreviation
        }
        var spans = [span(now.advanced(byMilliseconds: -48 * hour))]
        for step in -47...192 {
            let next = span(now.advanced(byMilliseconds: Int64(step) * hour))
            guard let last = spans.last, !isSame(last, next) else { continue }
            // Between two hours: the minute of the change, found by halving.
            var (before, after) = (next.from.milliseconds - hour, next.from.milliseconds)
            while after - before > 1_000 {
                let middle = (before + after) / 2
                if isSame(span(Instant(milliseconds: middle)), last) {
                    before = middle
                } else {
                    after = middle
                }
            }
            let second = after - after % 1_000
            spans.append(span(Instant(milliseconds: second > before ? second : after)))
        }
        self.init(name: rules.name, spans: spans)
    }
}
