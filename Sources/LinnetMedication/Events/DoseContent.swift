import LinnetCRDT

/// The content of a dose, in the words of its moment.
///
/// An event keeps it, so that the past stays what it was when the medication's record changes.
package struct DoseContent: Equatable, Sendable {
    /// The name that the medication had.
    package let name: String
    /// The dosage; nil when nobody had said.
    package let dosage: Dosage?
    /// The form in which it came.
    package let form: Term<DoseForm>?

    /// Joins the parts.
    package init(name: String, dosage: Dosage?, form: Term<DoseForm>?) {
        self.name = name
        self.dosage = dosage
        self.form = form
    }

    /// Takes the content of a dose from a medication's record.
    package init(_ medication: Medication) {
        self.init(name: medication.name, dosage: medication.dosage, form: medication.form)
    }

    /// Reads an event's record; nil where an earlier version did not say.
    init?(_ record: StoredRecord) {
        guard let name = record.text(13) else { return nil }
        self.init(
            name: name,
            dosage: record.decimal(14).map {
                Dosage(amount: $0, unit: Term(record.text(15) ?? ""))
            },
            form: record.text(16).map { Term($0) })
    }

    /// The values of an event's record, from the field of the name on.
    static func values(_ content: DoseContent?) -> [Value] {
        [
            .optional(content?.name), .optional(content?.dosage?.amount),
            .optional(content?.dosage?.unit.text), .optional(content?.form?.text),
        ]
    }
}

extension DoseContent: CustomStringConvertible {
    /// Name and dosage, as `Metformin 500 mg`.
    package var description: String { name + (dosage.map { " \($0)" } ?? "") }
}
