public import LinnetCRDT

/// The change of one field.
public enum Edited<Value: Equatable & Sendable>: Equatable, Sendable {
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

/// The entries that a person makes about a medication; what is not entered stays as it is.
public struct MedicationDraft: Equatable, Sendable {
    /// The name that people give it.
    public var name: Edited<String> = .kept
    /// The name of its active ingredient.
    public var genericName: Edited<String> = .kept
    /// The amount that is taken at once; with `unit` alone only the unit changes.
    public var amount: Edited<Decimal64> = .kept
    /// Of what.
    public var unit: Edited<String> = .kept
    /// The form in which it comes.
    public var form: Edited<String> = .kept
    /// The route by which it enters the body.
    public var route: Edited<String> = .kept
    /// The frequency that was prescribed.
    public var frequency: Edited<Frequency> = .kept
    /// The first day on which it is taken.
    public var startDay: Edited<Day> = .kept
    /// The last day on which it is taken.
    public var endDay: Edited<Day> = .kept
    /// The instructions to mind when taking it.
    public var instructions: Edited<String> = .kept
    /// Words to add to those it is found by.
    public var addedTags: [String] = []
    /// Words to take away from these.
    public var removedTags: [String] = []
    /// True when a pharmacy asks for a prescription.
    public var requiresPrescription: Edited<Bool> = .kept
    /// The number of pieces in a package.
    public var packageSize: Edited<Int64> = .kept
    /// The day after which it is not to be used.
    public var expirationDay: Edited<Day> = .kept
    /// The stock at which one buys more.
    public var minimumStock: Edited<Decimal64> = .kept
    /// The number of doses that may be taken within any 24 hours.
    public var maximumPerDay: Edited<Int64> = .kept
    /// True when a further medication is meant, of a name that is there already.
    public var isAnother = false

    /// Nothing entered.
    public init() {}

    /// Longest name, generic name or tag, in bytes.
    public static let longestNameBytes = 200
    /// Longest instructions, in bytes.
    public static let longestInstructionsBytes = 8_192
}

/// The entries that a person makes about the times at which doses are due; what is not entered
/// stays as it is.
public struct TimingDraft: Equatable, Sendable {
    /// Hours, minutes and labels of a day, or nil.
    public var times: [(hour: Int, minute: Int, label: String)]?
    /// Every so many hours from an instant on, in place of times.
    public var interval: (hours: Int, anchor: Instant)?
    /// The days of the week.
    public var daysOfWeek: DaysOfWeek?
    /// The zone that times are read in; the person's own where there is none yet.
    public var referenceZone: String?

    /// Nothing entered.
    public init() {}

    /// True when nothing was entered.
    public var isEmpty: Bool {
        times == nil && interval == nil && daysOfWeek == nil && referenceZone == nil
    }

    /// True when both enter the same.
    public static func == (left: TimingDraft, right: TimingDraft) -> Bool {
        left.daysOfWeek == right.daysOfWeek && left.referenceZone == right.referenceZone
            && left.interval?.hours == right.interval?.hours
            && left.interval?.anchor == right.interval?.anchor
            && (left.times == nil) == (right.times == nil)
            && (left.times ?? []).elementsEqual(right.times ?? []) { $0 == $1 }
    }
}
