import LinnetCRDT

extension MedicationPlanner {
    /// The changes that make a medication what was entered; none for what is so already.
    func changes(
        _ draft: MedicationDraft, of old: Medication
    ) throws(MedicationError) -> [Change] {
        typealias Fields = Schema.MedicationFields
        try check(draft, of: old)
        var changes: [Change] = []
        func set<V>(_ field: UInt32, _ edited: Edited<V>, _ old: V?, _ value: (V?) -> Value) {
            let new = edited.applied(to: old)
            if new != old { changes.append(.set(FieldWrite(field, value(new)))) }
        }
        set(Fields.name, draft.name, old.name) { .optional($0) }
        set(Fields.genericName, draft.genericName, old.genericName) { .optional($0) }
        if let dosage = try dosage(draft, old.dosage), dosage != old.dosage {
            changes.append(
                .set(
                    FieldWrite(
                        Fields.dosage,
                        members: [
                            (Schema.DosageMembers.amount, .decimal(dosage.amount)),
                            (Schema.DosageMembers.unit, .text(dosage.unit.text)),
                        ])))
        }
        set(Fields.form, draft.form, old.form?.text) { .optional($0) }
        set(Fields.route, draft.route, old.route?.text) { .optional($0) }
        set(Fields.startDate, draft.startDay, old.startDay) { .optional($0) }
        set(Fields.endDate, draft.endDay, old.endDay) { .optional($0) }
        let instructions = draft.instructions.applied(to: old.instructions) ?? ""
        if instructions != old.instructions {
            changes.append(.rewrite(field: Fields.instructions, instructions))
        }
        changes += draft.removedTags.filter { old.tags.contains($0) }
            .map { .remove(field: Fields.tags, .text($0)) }
        changes += draft.addedTags.filter { !old.tags.contains($0) }
            .map { .add(field: Fields.tags, .text($0)) }
        set(Fields.frequency, draft.frequency, old.frequency) { .optional($0?.text) }
        set(Fields.requiresPrescription, draft.requiresPrescription, old.requiresPrescription) {
            $0.map(Value.bool) ?? .null
        }
        set(Fields.packageSize, draft.packageSize, old.packageSize) { $0.map(Value.int) ?? .null }
        set(Fields.expirationDate, draft.expirationDay, old.expirationDay) { .optional($0) }
        set(Fields.minimumStock, draft.minimumStock, old.minimumStock) { .optional($0) }
        set(Fields.maximumPerDay, draft.maximumPerDay, old.maximumPerDay) {
            $0.map(Value.int) ?? .null
        }
        return changes
    }

    private func check(_ draft: MedicationDraft, of old: Medication) throws(MedicationError) {
        switch draft.name {
        case .kept: break
        case .cleared: throw .invalid(.name, .notEmpty)
        case .set(let name):
            try check(name, .name)
            if !draft.isAnother, name != old.name {
                try checkIsNew(name, of: old.id) { _ in true }
            }
        }
        if case .set(let name) = draft.genericName { try check(name, .genericName) }
        for tag in draft.addedTags { try check(tag, .tags) }
        if case .set(let text) = draft.instructions {
            guard text.utf8.count <= MedicationDraft.longestInstructionsBytes else {
                throw .invalid(
                    .instructions, .atMostBytes(MedicationDraft.longestInstructionsBytes))
            }
        }
        try check(draft.form, .form, DoseForm.allCases.map(\.rawValue))
        try check(draft.route, .route, DoseRoute.allCases.map(\.rawValue))
        if case .set(.unknown) = draft.frequency {
            throw .invalid(
                .frequency,
                .oneOf(["N times a day", "every N hours", "custom times", "as needed"]))
        }
        if case .set(let size) = draft.packageSize, size <= 0 {
            throw .invalid(.packageSize, .positive)
        }
        if case .set(let maximum) = draft.maximumPerDay, maximum <= 0 {
            throw .invalid(.maximumPerDay, .positive)
        }
        if case .set(let minimum) = draft.minimumStock, minimum < .zero {
            throw .invalid(.minimumStock, .notNegative)
        }
        if let start = draft.startDay.applied(to: old.startDay),
            let end = draft.endDay.applied(to: old.endDay), end < start
        {
            throw .invalid(.endDate, .notBeforeStart)
        }
    }

    /// Throws when another medication has a name already: a change of dosage, or a second box of
    /// the same, is easily entered as a further medication and then taken twice.
    func checkIsNew(
        _ name: String, of id: RecordID, among isMeant: (Medication) -> Bool
    ) throws(MedicationError) {
        let known = book.medications.values.first {
            $0.id != id && isMeant($0) && MedicationName.isSame($0.name, name)
        }
        if let known { throw .medicationAlreadyExists(known.id) }
    }

    private func check(_ name: String, _ field: MedicationField) throws(MedicationError) {
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field, .notEmpty)
        }
        guard name.utf8.count <= MedicationDraft.longestNameBytes else {
            throw .invalid(field, .atMostBytes(MedicationDraft.longestNameBytes))
        }
    }

    private func check(
        _ word: Edited<String>, _ field: MedicationField, _ words: [String]
    ) throws(MedicationError) {
        guard case .set(let word) = word, !words.contains(word) else { return }
        throw .invalid(field, .oneOf(words))
    }

    /// The dosage after the edit: amount and unit go together.
    private func dosage(
        _ draft: MedicationDraft, _ old: Dosage?
    ) throws(MedicationError) -> Dosage? {
        try check(draft.unit, .unit, DoseUnit.allCases.map(\.rawValue))
        let amount = draft.amount.applied(to: old?.amount)
        let unit = draft.unit.applied(to: old?.unit.text)
        if amount == nil, unit == nil { return nil }
        guard let amount, amount > .zero else { throw .invalid(.amount, .positive) }
        guard let unit else { throw .invalid(.unit, .notEmpty) }
        return Dosage(amount: amount, unit: Term(unit))
    }
}
