/// A word out of a list that newer versions may lengthen.
///
/// A word that this version does not know is kept and shown as itself, never taken for another.
package enum Term<Known: RawRepresentable & Sendable & Equatable>: Equatable, Sendable
where Known.RawValue == String {
    /// A word of this version's list.
    case known(Known)
    /// A word that a newer version wrote.
    case unknown(String)

    /// Reads a word as it is stored.
    package init(_ text: String) {
        if let known = Known(rawValue: text) {
            self = .known(known)
        } else {
            self = .unknown(text)
        }
    }

    /// The word as it is stored.
    package var text: String {
        switch self {
        case .known(let known): known.rawValue
        case .unknown(let text): text
        }
    }

    /// The word, when this version knows it.
    package var word: Known? { if case .known(let known) = self { known } else { nil } }
}

/// The form in which a medication comes.
package enum DoseForm: String, CaseIterable, Sendable {
    case tablet, capsule, liquid, injection, cream, patch, inhaler, drops, other
}

/// The unit in which an amount counts.
package enum DoseUnit: String, CaseIterable, Sendable {
    case milligrams = "mg"
    case grams = "g"
    case millilitres = "ml"
    case units, drops, puffs, tablets, capsules
}

/// The route by which a medication enters the body.
package enum DoseRoute: String, CaseIterable, Sendable {
    case oral, sublingual, topical, intravenous, intramuscular, subcutaneous, inhaled, rectal
    case ophthalmic, otic, nasal
}

/// The reason for which a dose was skipped.
package enum SkipReason: String, CaseIterable, Sendable {
    case sideEffects, forgot, outOfMedication, doctorAdvised, feltBetter, other
}

/// The kind of event that happened to a dose.
package enum DoseEventKind: String, CaseIterable, Sendable {
    case taken, skipped, snoozed, undone
}
