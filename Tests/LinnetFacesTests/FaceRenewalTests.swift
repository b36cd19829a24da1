import LinnetFaces
import LinnetMedication
import Testing

/// A night in virtual time: a widget on a phone whose app leaves a snapshot now and then.
struct FaceRenewalTests {
    private static let minute: Int64 = 60_000

    /// Plays twelve hours from 20:00 on; returns what the widget shows at each minute.
    private func night(renewedEvery milliseconds: Int64?) -> [Bool] {
        var now = FaceCase.at(hour: 20)
        let morning = FaceCase.at(hour: 32)
        var snapshot = snapshot(at: now)
        var host = WidgetHost<FaceEntry>(WidgetLimits())
        let id = WidgetID(0)
        var shown: Shown<FaceEntry>?
        var renewal = milliseconds.map { now.advanced(byMilliseconds: $0) }
        func tell(_ input: WidgetInput<FaceEntry>) {
            for effect in host.handle(input, at: now) {
                switch effect {
                case .ask(let id, let request, _):
                    let timeline = NextDoseProvider(.read(snapshot))
                        .timeline(in: TimelineContext(family: .small), at: now)
                    tell(.timeline(id, request: request, timeline))
                case .show(_, let what): shown = what
                case .hide: shown = nil
                }
            }
        }
        tell(
            .added(
                id,
                WidgetConfiguration(
                    kind: FaceKind.nextDose.rawValue, family: .small, place: .screen,
                    viewing: .frequent)))
        var known: [Bool] = []
        while now < morning {
            now = now.advanced(byMilliseconds: Self.minute)
            if let due = renewal, now >= due, let milliseconds {
                snapshot = self.snapshot(at: now)
                renewal = now.advanced(byMilliseconds: milliseconds)
                tell(.reloadAll)
            }
            tell(.wake)
            if case .entry(let entry)? = shown, case .nextDose(let face) = entry.content {
                known.append(face.today != nil)
            } else {
                known.append(false)
            }
        }
        return known
    }

    private func snapshot(at now: Instant) -> FaceSnapshot {
        FaceCase.snapshot(
            [
                FaceCase.dose("Metformin", 20, .taken), FaceCase.dose("Metformin", 32, minute: 30),
            ], asOf: now)
    }

    @Test func `a widget says what became of the day all night when the app renews its snapshot`() {
        let known = night(renewedEvery: FaceFreshness().renewalMilliseconds)
        // Reloads have a budget of their own: a timeline outlasts the renewal by far.
        #expect(known.count == 720 && known.allSatisfy(\.self), "\(known.count { !$0 }) minutes")
    }

    @Test func `without renewal it is not known in the morning`() {
        let known = night(renewedEvery: nil)
        #expect(known.first == true && known.last == false)
    }

    @Test func `the renewal is half of the shortest bound`() {
        var freshness = FaceFreshness()
        #expect(freshness.renewalMilliseconds == 1_800_000)
        freshness.adherenceMilliseconds = 600_000
        #expect(freshness.renewalMilliseconds == 300_000)
    }

    @Test func `snapshots of two moments state the same until a fact changes`() {
        let one = snapshot(at: FaceCase.noon)
        var other = snapshot(at: FaceCase.at(hour: 13))
        #expect(one.statesTheSame(as: other))
        other.zone.spans[0].from = other.asOf
        #expect(one.statesTheSame(as: other), "where a zone is cut off means nothing")
        other.facts.streakDays += 1
        #expect(!one.statesTheSame(as: other))
    }
}
