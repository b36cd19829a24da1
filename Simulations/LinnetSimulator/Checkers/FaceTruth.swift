import LinnetFaces
import LinnetMedication

/// W1: a face says only what was so as of the instant it names, and nothing past its bound.
///
/// Knows what each device showed when it left a snapshot, and the bounds that are published for
/// kinds of facts; how snapshots, timelines and hosts work it does not know.
struct FaceTruth {
    /// The facts that a device held at one instant.
    fileprivate struct State {
        var doses: [Dose] = []
        /// Of the last seven days.
        var taken = 0
        var settled = 0
        var zone: ZoneRules
        var expires: Instant
    }

    fileprivate struct Dose {
        var name: String
        var time: Instant
        var outcome: DoseOutcome
        /// The time at which it is wanted: its own, or the one to which it was put off.
        var wanted: Instant
    }

    fileprivate static let minute: Int64 = 60_000
    fileprivate static let standing = 60 * minute
    fileprivate static let plan = 6 * 60 * minute
    fileprivate static let week = 3 * 60 * minute
    fileprivate static let grace = 15 * minute
    /// Entries that come too close wait: a dose may be called upcoming for so long.
    fileprivate static let turning = 15 * minute

    private var states: [Instant: State] = [:]
    private var newest: Instant?

    /// A device leaves a snapshot of its book.
    mutating func learn(
        _ book: MedicationBook, _ zone: ZoneRules, at now: Instant, validFor: Int64
    ) throws(MedicationError) {
        let today = zone.local(at: now).day
        let first = zone.start(of: today.advanced(byDays: -6))
        let range = first..<zone.start(of: today.advanced(byDays: 7))
        let yesterday = zone.start(of: today.advanced(byDays: -1))
        let tomorrow = zone.start(of: today.advanced(byDays: 1))
        var state = State(zone: zone, expires: now.advanced(byMilliseconds: validFor))
        for line in try book.lines(in: range, now: now, zones: SimulatedZones.table)
        where line.isScheduled {
            if line.scheduled < tomorrow {
                if line.status.isTaken { state.taken += 1 }
                if line.status.isSettled { state.settled += 1 }
            }
            guard line.scheduled >= yesterday else { continue }
            let outcome = book.ledger.dose(line.key)?.outcome ?? .open
            var wanted = line.scheduled
            if case .snoozed(let at) = outcome {
                wanted = at.advanced(byMilliseconds: DoseStatus.snoozeMilliseconds)
            }
            state.doses.append(
                Dose(name: line.name, time: line.scheduled, outcome: outcome, wanted: wanted))
        }
        states[now] = state
        newest = now
    }

    /// True when the newest facts are such that every face has something to say.
    func isFresh(at now: Instant) -> Bool {
        guard let newest, let state = states[newest] else { return false }
        return now < state.bound(newest, FaceTruth.standing)
    }

    /// From when an entry may not be up; nil when it says nothing.
    func end(of entry: FaceEntry) -> Instant? {
        guard let asOf = entry.asOf, let state = states[asOf] else { return nil }
        switch entry.content {
        case .nextDose(let face):
            let lines = ([face.next].compactMap { $0 }) + face.following
            let saysStanding =
                face.today != nil || face.missed > 0 || lines.contains { $0.standing == .due }
            let end = state.bound(asOf, saysStanding ? FaceTruth.standing : FaceTruth.plan)
            let turns = lines.filter { $0.standing == .upcoming }.map {
                $0.time.advanced(byMilliseconds: FaceTruth.turning)
            }
            return turns.min().map { min($0, end) } ?? end
        case .adherence: return state.bound(asOf, FaceTruth.week)
        case .placeholder, .locked, .unknown, .watchHome, .phoneHome: return nil
        }
    }

    /// Asked when an entry comes up, and again when it must be gone.
    func check(_ entry: FaceEntry, at now: Instant, _ device: Int) throws(Violation) {
        func broken(_ message: String) -> Violation {
            Violation(.facesStayTrue, message, devices: [device])
        }
        switch entry.content {
        case .placeholder, .locked, .unknown: return
        case .nextDose, .adherence, .watchHome, .phoneHome: break
        }
        guard let asOf = entry.asOf, let state = states[asOf] else {
            throw broken("a face says what nobody here left for it")
        }
        guard entry.date <= now else { throw broken("a face is up before its time") }
        guard let end = end(of: entry), now < end else {
            throw broken("a face still says at \(now) what was known at \(asOf)")
        }
        let difference: String?
        switch entry.content {
        case .nextDose(let face): difference = state.difference(from: face, at: entry.date, asOf)
        case .adherence(let face):
            difference =
                face.week == FaceProgress(taken: state.taken, total: state.settled)
                ? nil : "the week is \(face.week.taken) of \(face.week.total)"
        default: difference = nil
        }
        if let difference {
            throw broken("a face as of \(asOf) is wrong at \(entry.date): \(difference)")
        }
    }
}

extension FaceTruth.State {
    fileprivate func bound(_ asOf: Instant, _ milliseconds: Int64) -> Instant {
        min(asOf.advanced(byMilliseconds: milliseconds), expires)
    }

    /// Tells in which way a face differs from what it should say at an instant.
    fileprivate func difference(from face: NextDoseFace, at date: Instant, _ asOf: Instant)
        -> String?
    {
        let isSettled = date < bound(asOf, FaceTruth.standing)
        let dayBefore = date.advanced(byMilliseconds: -24 * 60 * FaceTruth.minute)
        var ahead: [(time: Instant, isDue: Bool, name: String)] = []
        var (missed, unsettled) = (0, 0)
        for dose in doses where !dose.outcome.isRecorded {
            if date < dose.wanted {
                ahead.append((dose.wanted, false, dose.name))
            } else if isSettled {
                if date.milliseconds(since: dose.wanted) < FaceTruth.grace {
                    ahead.append((dose.wanted, true, dose.name))
                } else if dose.time > dayBefore {
                    missed += 1
                }
            } else if dose.time > dayBefore {
                unsettled += 1
            }
        }
        ahead.sort { ($0.time, $0.name) < ($1.time, $1.name) }
        let said = ([face.next].compactMap { $0 }) + face.following
        guard said.map(\.time) == ahead.prefix(4).map(\.time),
            said.map({ $0.standing == .due }) == ahead.prefix(4).map(\.isDue),
            said.allSatisfy({ line in
                ahead.contains { $0.time == line.time && $0.name == line.name }
            })
        else { return "the doses ahead are not \(said.map(\.clock))" }
        guard face.missed == missed else { return "\(face.missed) doses are called missed" }
        guard face.unsettled == unsettled else { return "\(face.unsettled) are called not known" }
        let day = zone.local(at: date).day
        let today = doses.filter { zone.local(at: $0.time).day == day }
        let progress = FaceProgress(
            taken: today.count { $0.outcome.isTaken }, total: today.count)
        guard face.today == (isSettled ? progress : nil) else {
            return "today is said to be \(face.today?.taken ?? -1) of \(face.today?.total ?? -1)"
        }
        return nil
    }
}
