import LinnetCRDT

/// The search that finds how well medications fit a query.
package enum MedicationSearch {
    /// Lower is better; nil when a word of the query occurs nowhere.
    static func rank(_ medication: Medication, _ query: [String]) -> Int? {
        let places = [
            SearchText.words(medication.name),
            SearchText.words(medication.dosage?.description ?? ""),
            SearchText.words(medication.genericName ?? ""),
            medication.tags.flatMap { SearchText.words($0) },
            SearchText.words(medication.instructions),
        ]
        var sum = 0
        for word in query {
            guard let rank = rank(word, in: places) else { return nil }
            sum += rank
        }
        return sum
    }

    /// The place of the dosage.
    private static let dosage = 1

    /// Two ranks a place: words that begin so before words that hold it.
    private static func rank(_ wanted: String, in places: [[String]]) -> Int? {
        for (place, words) in places.enumerated() {
            // Of 5 mg the 5 is no beginning of 50.
            if place == dosage {
                if words.contains(wanted) { return 2 * place }
                continue
            }
            if words.contains(where: { $0.hasPrefix(wanted) }) { return 2 * place }
            if words.contains(where: { $0.contains(wanted) }) { return 2 * place + 1 }
        }
        return nil
    }
}

extension MedicationBook {
    /// The medications in which every word of a query occurs: in the name, the dosage, the generic
    /// name, a tag or the instructions, without regard to case and marks.
    ///
    /// Best first: words of the name, then of dosage, generic name, tags and instructions; equal
    /// ones by name. All of them where the query has no word.
    public func search(_ query: String) -> [Medication] {
        let words = SearchText.words(query)
        var found: [(rank: Int, medication: Medication)] = []
        for medication in medications.values {
            guard let rank = MedicationSearch.rank(medication, words) else { continue }
            found.append((rank, medication))
        }
        return found.sorted { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            if left.medication.name != right.medication.name {
                return left.medication.name < right.medication.name
            }
            return left.medication.id < right.medication.id
        }.map(\.medication)
    }
}
