/// A word out of a list that newer versions may lengthen.
///
/// A word that this version does not know is kept and shown as itself, never taken for another.
public enum Term<Known: RawRepresentable & Sendable & Equatable>: Equatable, Sendable
where Known.RawValue == String {
    /// A word of this version's list.
    case known(Known)
    /// A word that a newer version wrote.
    case unknown(String)

    /// Reads a word as it is stored.
    public init(_ text: String) {
        if let known = Known(rawValue: text) {
            self = .known(known)
        } else {
            self = .unknown(text)
        }
    }

    /// The word as it is stored.
    public var text: String {
        switch self {
        case .known(let known): known.rawValue
        case .unknown(let text): text
        }
    }

    /// The word, when this version knows it.
    public var word: Known? { if case .known(let known) = self { known } else { nil } }
}

/// The form in which a medication comes.
public enum DoseForm: String, CaseIterable, Sendable {
    case tablet, capsule, liquid, injection, cream, patch, inhaler, drops, other
}

/// The unit in which an amount counts.
public enum DoseUnit: String, CaseIterable, Sendable {
    case milligrams = "mg"
    case grams = "g"
    case millilitres = "ml"
    case units, drops, puffs, tablets, capsules
}

/// The route by which a medication enters the body.
public enum DoseRoute: String, CaseIterable, Sendable {
    case oral, sublingual, topical, intravenous, intramuscular, subcutaneous, inhaled, rectal
    case ophthalmic, otic, nasal
}

/// The reason for which a dose was skipped.
public enum SkipReason: String, CaseIterable, Sendable {
    case sideEffects, forgot, outOfMedication, doctorAdvised, feltBetter, other
}

/// The kind of event that happened to a dose.
public enum DoseEventKind: String, CaseIterable, Sendable {
    case taken, skipped, snoozed, undone
}
