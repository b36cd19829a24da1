public import LinnetMedication

/// Makes faces from a snapshot for any instant after it: pure, and silent on what it cannot know.
public struct FaceMaker: Sendable {
    /// The time after its instant from which a dose counts as missed, in milliseconds.
    public static let graceMilliseconds: Int64 = 15 * 60_000

    /// The snapshot, which holds everything that is known.
    public let snapshot: FaceSnapshot
    /// For how long it is stated.
    public let freshness: FaceFreshness
    private let bounds: FaceBounds

    /// A maker.
    public init(_ snapshot: FaceSnapshot, _ freshness: FaceFreshness = FaceFreshness()) {
        self.snapshot = snapshot
        self.freshness = freshness
        bounds = freshness.bounds(of: snapshot)
    }

    /// The entry of a face from an instant on; its `staleAfter` is the first bound of what it says.
    public func entry(_ kind: FaceKind, at now: Instant) -> FaceEntry {
        let (content, bound) = content(kind, at: now)
        return FaceEntry(
            date: now, content: content, asOf: bound == nil ? nil : snapshot.asOf,
            staleAfter: bound, relevance: relevance(of: content, at: now))
    }

    private func content(_ kind: FaceKind, at now: Instant) -> (FaceContent, Instant?) {
        guard snapshot.facts.isInStep else { return (.unknown(kind, .notInStep), nil) }
        switch kind {
        case .nextDose:
            guard now < bounds.plan else { return (stale(kind, at: now), nil) }
            return (.nextDose(nextDose(at: now)), planBound(at: now))
        case .adherence:
            guard now < bounds.adherence else { return (stale(kind, at: now), nil) }
            return (.adherence(adherence(at: now)), bounds.adherence)
        case .watchHome:
            guard now < bounds.plan else { return (stale(kind, at: now), nil) }
            return (.watchHome(watchHome(at: now)), planBound(at: now))
        case .phoneHome:
            guard now < bounds.plan else { return (stale(kind, at: now), nil) }
            let bound = planBound(at: now)
            return (
                .phoneHome(phoneHome(at: now)),
                now < bounds.adherence ? min(bound, bounds.adherence) : bound
            )
        }
    }

    private func planBound(at now: Instant) -> Instant {
        now < bounds.standing ? bounds.standing : bounds.plan
    }

    private func stale(_ kind: FaceKind, at now: Instant) -> FaceContent {
        .unknown(kind, .stale(lastKnown: moment(snapshot.asOf, seenFrom: now)))
    }

    private func relevance(of content: FaceContent, at now: Instant) -> EntryRelevance? {
        guard case .nextDose(let face) = content else { return nil }
        guard let next = face.next else { return EntryRelevance(score: 0) }
        let ahead = next.time.milliseconds(since: now)
        let minutes = Int(clamping: max(0, ahead) / 60_000)
        return EntryRelevance(
            score: max(1, 100 - minutes / 5),
            durationMilliseconds: max(0, ahead) + Self.graceMilliseconds)
    }

    /// Returns the time of day at which the facts were known.
    func lastKnown(at now: Instant) -> String { moment(snapshot.asOf, seenFrom: now) }

    // MARK: Faces

    /// The next dose at an instant before the plan grows stale.
    func nextDose(at now: Instant) -> NextDoseFace {
        var face = NextDoseFace()
        let isSettled = now < bounds.standing
        var ahead: [FaceLine] = []
        let yesterday = now.advanced(byMilliseconds: -86_400_000)
        for dose in snapshot.facts.doses {
            let line = line(dose, at: now)
            switch line.standing {
            case .upcoming, .due: ahead.append(line)
            case .missed where dose.time > yesterday: face.missed += 1
            case .unknown where dose.time > yesterday: face.unsettled += 1
            case .missed, .unknown, .taken, .late, .skipped: break
            }
        }
        ahead.sort { $0.time < $1.time }
        face.next = ahead.first
        face.following = Array(ahead.dropFirst().prefix(3))
        face.today = isSettled ? progress(at: now) : nil
        face.hasMedications = hasMedications
        face.asOf = moment(snapshot.asOf, seenFrom: now)
        return face
    }

    private var hasMedications: Bool {
        !snapshot.facts.medications.isEmpty || !snapshot.facts.doses.isEmpty
    }

    /// Returns the progress of today; nil when of one of its doses nobody knows here.
    private func progress(at now: Instant) -> FaceProgress? {
        let doses = doses(ofDay: snapshot.zone.local(at: now).day)
        guard !doses.contains(where: { $0.standing == .unknown }) else { return nil }
        return FaceProgress(
            taken: doses.count { $0.standing == .taken || $0.standing == .late },
            total: doses.count)
    }

    private func doses(ofDay day: Int64) -> [FaceDose] {
        snapshot.facts.doses.filter { snapshot.zone.local(at: $0.time).day == day }
    }

    private func adherence(at now: Instant) -> AdherenceFace {
        var face = AdherenceFace()
        let days = snapshot.facts.days
        face.week = FaceProgress(
            taken: days.reduce(0) { $0 + $1.taken }, total: days.reduce(0) { $0 + $1.due })
        face.days = days.map {
            AdherenceFace.Day(
                name: FaceZone.weekday($0.day),
                progress: FaceProgress(taken: $0.taken, total: $0.due))
        }
        face.knownSince = snapshot.facts.knownSince.map(FaceZone.dayAndMonth)
        face.streakDays = snapshot.facts.streakDays
        face.isStreakWhole = snapshot.facts.isStreakWhole
        face.hasMedications = hasMedications
        face.asOf = moment(snapshot.asOf, seenFrom: now)
        return face
    }

    private func watchHome(at now: Instant) -> WatchHomeFace {
        var face = WatchHomeFace()
        face.next = nextDose(at: now)
        face.medications = snapshot.facts.medications.map {
            FaceMedication(
                name: FaceText.plain($0.name), dosage: FaceText.plain($0.dosage),
                form: FaceText.plain($0.form))
        }
        face.history = snapshot.facts.history.prefix(5).map {
            WatchHomeFace.HistoryLine(
                clock: moment($0.time, seenFrom: now), name: FaceText.plain($0.name),
                event: FaceText.plain($0.event))
        }
        return face
    }

    private func phoneHome(at now: Instant) -> PhoneHomeFace {
        var face = PhoneHomeFace()
        let day = snapshot.zone.local(at: now).day
        face.day = FaceZone.dateWords(day)
        face.next = nextDose(at: now)
        face.today = doses(ofDay: day).map { line($0, at: now) }
        face.week = now < bounds.adherence ? adherence(at: now) : AdherenceFace()
        face.alerts = snapshot.facts.alerts.map {
            FaceAlert(
                kind: $0.kind, subject: FaceText.plain($0.subject),
                detail: FaceText.plain($0.detail))
        }
        return face
    }

    // MARK: Lines

    private func line(_ dose: FaceDose, at now: Instant) -> FaceLine {
        let wanted: Instant =
            if case .snoozed(let until) = dose.standing { until } else { dose.time }
        return FaceLine(
            name: FaceText.plain(dose.name), dosage: FaceText.plain(dose.dosage),
            form: FaceText.plain(dose.form), clock: snapshot.zone.clock(at: wanted),
            day: snapshot.zone.dayWord(of: wanted, seenFrom: now),
            weekday: FaceZone.weekday(snapshot.zone.local(at: wanted).day), time: wanted,
            label: FaceText.plain(dose.label), standing: standing(of: dose, wanted: wanted, at: now)
        )
    }

    private func standing(
        of dose: FaceDose, wanted: Instant, at now: Instant
    ) -> FaceLine.Standing {
        switch dose.standing {
        case .taken: return .taken
        case .late: return .late
        case .skipped: return .skipped
        case .open, .snoozed, .unknown: break
        }
        if now < wanted { return .upcoming }
        if dose.standing == .unknown { return .unknown }
        guard now < bounds.standing else { return .unknown }
        return now.milliseconds(since: wanted) < Self.graceMilliseconds ? .due : .missed
    }

    /// A time of day, with the day when that is another one.
    private func moment(_ instant: Instant, seenFrom now: Instant) -> String {
        let clock = snapshot.zone.clock(at: instant)
        let day = snapshot.zone.dayWord(of: instant, seenFrom: now)
        return day == "Today" ? clock : "\(day) \(clock)"
    }
}
