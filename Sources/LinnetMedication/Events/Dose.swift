package import LinnetCRDT

/// One dose with all that was recorded about it.
package struct Dose: Equatable, Sendable {
    /// The key of the dose.
    package let key: DoseKey
    /// The medication.
    package let medication: RecordID
    /// The outcome that stands.
    package let outcome: DoseOutcome
    /// The taken events that stand, the earliest first: each is a witness of the same dose.
    package let taken: [DoseEvent]
    /// The skipped events that stand, the latest last.
    package let skipped: [DoseEvent]
    /// The snoozed events, the latest last.
    package let snoozed: [DoseEvent]
    /// The events that took others back.
    package let undone: [DoseEvent]
    /// The events that were taken back.
    package let cancelled: [DoseEvent]
    /// Events of kinds that this version does not know.
    package let unknown: [DoseEvent]

    /// Folds the events of one dose; their order does not matter.
    ///
    /// An undone event cancels the events that it names, which are those its device had seen. Of
    /// what is left taken goes before skipped and skipped before snoozed.
    package init?(key: DoseKey, events: [DoseEvent]) {
        let sorted = events.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        guard let first = sorted.first else { return nil }
        self.key = key
        medication = first.medication
        undone = sorted.filter { $0.kind == .known(.undone) }
        unknown = sorted.filter { $0.kind.word == nil }
        let named = undone.flatMap(\.undoes)
        let standing = sorted.filter { !named.contains($0.id) }
        taken = standing.filter { $0.kind == .known(.taken) }
        skipped = standing.filter { $0.kind == .known(.skipped) }
        snoozed = standing.filter { $0.kind == .known(.snoozed) }
        cancelled = sorted.filter { event in
            named.contains(event.id) && event.kind != .known(.undone) && event.kind.word != nil
        }
        outcome =
            if let event = taken.first { .taken(at: event.at) } else if let event = skipped.last {
                .skipped(at: event.at)
            } else if let event = snoozed.last { .snoozed(at: event.at) } else { .open }
    }

    /// The instant at which it was due; of a dose without a schedule that at which it was taken.
    package var scheduled: Instant {
        switch key {
        case .occurrence(_, let scheduled): scheduled
        case .asNeeded(_, let slot): taken.first?.at ?? slot
        case .additional: taken.first?.at ?? cancelled.first?.at ?? Instant(milliseconds: 0)
        }
    }

    /// The number of devices that recorded that it was taken; one that did so twice counts once.
    package var witnesses: Int {
        taken.indices.count { index in
            !taken[..<index].contains { $0.isSameDevice(as: taken[index]) }
        }
    }

    /// The content of the dose by the events that decide what stands; nil where none of them says
    /// so.
    package var content: DoseContent? {
        switch outcome {
        case .taken: taken.lazy.compactMap(\.content).first
        case .skipped: skipped.lazy.reversed().compactMap(\.content).first
        case .snoozed: snoozed.lazy.reversed().compactMap(\.content).first
        case .open: nil
        }
    }

    /// The notes of what stands, in the order of time.
    package var notes: [String] { (taken + skipped + snoozed).compactMap(\.note) }
}
