package import LinnetCRDT

/// What becomes of a field.
package enum Edited<Value: Equatable & Sendable>: Equatable, Sendable {
    /// It stays as it is.
    case kept
    /// It is left without a value.
    case cleared
    /// It gets this value.
    case set(Value)

    /// The value after the edit.
    func applied(to old: Value?) -> Value? {
        switch self {
        case .kept: old
        case .cleared: nil
        case .set(let new): new
        }
    }
}

/// What a person enters about a medication; what is not entered stays as it is.
package struct MedicationDraft: Equatable, Sendable {
    /// What people call it.
    package var name: Edited<String> = .kept
    /// The name of its active ingredient.
    package var genericName: Edited<String> = .kept
    /// How much is taken at once; with `unit` alone only the unit changes.
    package var amount: Edited<Decimal64> = .kept
    /// Of what.
    package var unit: Edited<String> = .kept
    /// What it comes as.
    package var form: Edited<String> = .kept
    /// How it enters the body.
    package var route: Edited<String> = .kept
    /// How often it was prescribed.
    package var frequency: Edited<Frequency> = .kept
    /// The first day on which it is taken.
    package var startDay: Edited<Day> = .kept
    /// The last day on which it is taken.
    package var endDay: Edited<Day> = .kept
    /// What to mind when taking it.
    package var instructions: Edited<String> = .kept
    /// Words to add to those it is found by.
    package var addedTags: [String] = []
    /// Words to take away from these.
    package var removedTags: [String] = []
    /// Whether a pharmacy asks for a prescription.
    package var requiresPrescription: Edited<Bool> = .kept
    /// How many a package holds.
    package var packageSize: Edited<Int64> = .kept
    /// The day after which it is not to be used.
    package var expirationDay: Edited<Day> = .kept
    /// The stock at which one buys more.
    package var minimumStock: Edited<Decimal64> = .kept
    /// How many doses may be taken within any 24 hours.
    package var maximumPerDay: Edited<Int64> = .kept
    /// Whether a further medication of a name that is there is meant.
    package var isAnother = false

    /// Nothing entered.
    package init() {}

    /// Longest name, generic name or tag, in bytes.
    package static let longestNameBytes = 200
    /// Longest instructions, in bytes.
    package static let longestInstructionsBytes = 8_192
}

/// What a person enters about when doses are due; what is not entered stays as it is.
package struct TimingDraft: Equatable, Sendable {
    /// Hours, minutes and labels of a day, or nil.
    package var times: [(hour: Int, minute: Int, label: String)]?
    /// Every so many hours from an instant on, in place of times.
    package var interval: (hours: Int, anchor: Instant)?
    /// The days of the week.
    package var daysOfWeek: DaysOfWeek?
    /// The zone that times are read in; the person's own where there is none yet.
    package var referenceZone: String?

    /// Nothing entered.
    package init() {}

    /// Whether nothing was entered.
    package var isEmpty: Bool {
        times == nil && interval == nil && daysOfWeek == nil && referenceZone == nil
    }

    /// Whether both enter the same.
    package static func == (left: TimingDraft, right: TimingDraft) -> Bool {
        left.daysOfWeek == right.daysOfWeek && left.referenceZone == right.referenceZone
            && left.interval?.hours == right.interval?.hours
            && left.interval?.anchor == right.interval?.anchor
            && (left.times == nil) == (right.times == nil)
            && (left.times ?? []).elementsEqual(right.times ?? []) { $0 == $1 }
    }
}
