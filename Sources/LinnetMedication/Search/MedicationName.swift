public import LinnetCRDT

/// The medication that a person's words name.
public enum MedicationMatch: Equatable, Sendable {
    /// Nothing that is known.
    case none
    /// This one.
    case one(Medication)
    /// Any of these.
    case several([Medication])
}

/// The comparison of names of medications.
enum MedicationName {
    /// Returns true when a person would take two names for one: case, marks and punctuation do not
    /// matter.
    static func isSame(_ left: String, _ right: String) -> Bool {
        if left.lowercased() == right.lowercased() { return true }
        let words = SearchText.words(left)
        return !words.isEmpty && words == SearchText.words(right)
    }

    /// The same, where `5mg` and `5 mg` are one, too.
    static func isSameUnspaced(_ left: String, _ right: String) -> Bool {
        let words = SearchText.words(left).joined()
        return !words.isEmpty && words == SearchText.words(right).joined()
    }

    /// Shortest part of an identifier that is told.
    static let shortestPrefix = 4
}

extension MedicationBook {
    /// Returns the title of a medication in lists: name and dosage, and the beginning of its
    /// identifier where another one has the same.
    public func title(of medication: Medication) -> String {
        let title = DoseContent(medication).description
        let isTaken = medications.values.contains {
            $0.id != medication.id && MedicationName.isSame(DoseContent($0).description, title)
        }
        return isTaken ? "\(title) (\(shortName(of: medication.id)))" : title
    }

    /// Returns the name of content in places with little room, with its dosage where medications
    /// of today bear the same name.
    package func briefName(of content: DoseContent) -> String {
        let namesakes = medications.values.count { MedicationName.isSame($0.name, content.name) }
        return namesakes > 1 ? content.description : content.name
    }

    /// The beginning of a medication's identifier that no other one shares, of four characters at
    /// least.
    public func shortName(of id: RecordID) -> String {
        let others = (medications.keys + deleted.keys).filter { $0 != id }.map(\.description)
        let name = id.description
        var count = MedicationName.shortestPrefix
        while count < name.count, others.contains(where: { $0.hasPrefix(name.prefix(count)) }) {
            count += 1
        }
        return String(name.prefix(count))
    }

    /// The medication that words name: an identifier, or the unique beginning of one; what a list
    /// calls it; its name, where no other one has it; words that fit no other one.
    ///
    /// - Parameters:
    ///   - text: the words of a person.
    ///   - orDeleted: true to look among the deleted ones, too.
    ///   - isMeant: true for those that are preferred when several have the name.
    public func match(
        _ text: String, orDeleted: Bool = false, rather isMeant: (Medication) -> Bool = \.isActive
    ) -> MedicationMatch {
        if let id = RecordID(text), let known = orDeleted ? medication(id) : medications[id] {
            return .one(known)
        }
        let all = medications.values + (orDeleted ? deleted.values : [])
        for isSame in [MedicationName.isSame, MedicationName.isSameUnspaced] {
            let titled = all.filter {
                isSame(title(of: $0), text) || isSame(DoseContent($0).description, text)
            }
            let named = titled.isEmpty ? all.filter { isSame($0.name, text) } : titled
            guard !named.isEmpty else { continue }
            let exact = named.filter { isSame(title(of: $0), text) }
            return chosen(exact.isEmpty ? named : exact, rather: isMeant)
        }
        let words = SearchText.words(text)
        let found = all.filter { medication in
            isNamed(medication.id, by: text)
                || (!words.isEmpty && MedicationSearch.rank(medication, words) != nil)
        }
        return found.count == 1 ? .one(found[0]) : found.isEmpty ? .none : .several(found)
    }

    private func isNamed(_ id: RecordID, by text: String) -> Bool {
        text.count >= MedicationName.shortestPrefix && id.description.hasPrefix(text)
    }

    private func chosen(
        _ found: [Medication], rather isMeant: (Medication) -> Bool
    ) -> MedicationMatch {
        if found.count == 1 { return .one(found[0]) }
        let meant = found.filter(isMeant)
        return meant.count == 1 ? .one(meant[0]) : .several(meant.isEmpty ? found : meant)
    }
}
