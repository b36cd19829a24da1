import LinnetCRDT

/// The content of a dose, in the words of its moment.
///
/// An event keeps it, so that the past stays what it was when the medication's record changes.
public struct DoseContent: Equatable, Sendable {
    /// The name that the medication had.
    public let name: String
    /// The dosage; nil when nobody had said.
    public let dosage: Dosage?
    /// The form in which it came.
    public let form: Term<DoseForm>?

    /// Joins the parts.
    public init(name: String, dosage: Dosage?, form: Term<DoseForm>?) {
        self.name = name
        self.dosage = dosage
        self.form = form
    }

    /// Takes the content of a dose from a medication's record.
    public init(_ medication: Medication) {
        self.init(name: medication.name, dosage: medication.dosage, form: medication.form)
    }

    /// Reads an event's record; nil where an earlier version did not say.
    init?(_ record: RecordView) {
        typealias Fields = Schema.DoseEventFields
        guard let name = record.text(Fields.name) else { return nil }
        self.init(
            name: name,
            dosage: record.decimal(Fields.amount).map {
                Dosage(amount: $0, unit: Term(record.text(Fields.unit) ?? ""))
            },
            form: record.text(Fields.form).map { Term($0) })
    }

    /// The fields of an event's record that say what the dose consisted of.
    static func values(_ content: DoseContent?) -> [(field: UInt32, value: Value)] {
        typealias Fields = Schema.DoseEventFields
        return [
            (Fields.name, .optional(content?.name)),
            (Fields.amount, .optional(content?.dosage?.amount)),
            (Fields.unit, .optional(content?.dosage?.unit.text)),
            (Fields.form, .optional(content?.form?.text)),
        ]
    }
}

extension DoseContent: CustomStringConvertible {
    /// Name and dosage, as `Metformin 500 mg`.
    public var description: String { name + (dosage.map { " \($0)" } ?? "") }
}
