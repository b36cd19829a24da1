package import LinnetCRDT

/// What someone takes.
package struct Medication: Equatable, Sendable {
    /// Its identifier.
    package let id: RecordID
    /// What people call it.
    package var name: String
    /// The name of its active ingredient.
    package var genericName: String?
    /// How much is taken at once.
    package var dosage: Dosage?
    /// What it comes as.
    package var form: Term<DoseForm>?
    /// How it enters the body.
    package var route: Term<DoseRoute>?
    /// How often it was prescribed.
    package var frequency: Frequency?
    /// The first day on which it is taken.
    package var startDay: Day?
    /// The last day on which it is taken.
    package var endDay: Day?
    /// Whether it is taken at present.
    package var isActive: Bool
    /// What to mind when taking it.
    package var instructions: String
    /// Words to find it by.
    package var tags: [String]
    /// Whether a pharmacy asks for a prescription.
    package var requiresPrescription: Bool?
    /// How many a package holds.
    package var packageSize: Int64?
    /// The day after which it is not to be used.
    package var expirationDay: Day?
    /// The stock at which one buys more.
    package var minimumStock: Decimal64?
    /// How many doses may be taken within any 24 hours.
    package var maximumPerDay: Int64?

    /// Reads a record of the collection; what has another type than the schema's is left out.
    package init(_ record: StoredRecord) {
        typealias Fields = Schema.MedicationFields
        id = record.id
        name = record.text(Fields.name) ?? ""
        genericName = record.text(Fields.genericName)
        dosage = record.decimal(Fields.dosage).map { amount in
            Dosage(
                amount: amount,
                unit: Term(record.text(Fields.dosage, member: Schema.DosageMembers.unit) ?? ""))
        }
        form = record.text(Fields.form).map { Term($0) }
        route = record.text(Fields.route).map { Term($0) }
        startDay = record.day(Fields.startDate)
        endDay = record.day(Fields.endDate)
        // Who never said so takes it: a record of another program need not know the field.
        isActive = record.flag(Fields.isActive) ?? true
        instructions = record.text(Fields.instructions) ?? ""
        tags = record.elements(Fields.tags)
        frequency = record.text(Fields.frequency).map { Frequency($0) }
        requiresPrescription = record.flag(Fields.requiresPrescription)
        packageSize = record.whole(Fields.packageSize)
        expirationDay = record.day(Fields.expirationDate)
        minimumStock = record.decimal(Fields.minimumStock)
        maximumPerDay = record.whole(Fields.maximumPerDay)
    }

    /// What one dose takes out of the stock.
    package var stockQuantity: Decimal64 { dosage?.stockQuantity ?? Dosage.onePiece }

    /// Whether it is taken when it is needed, without a schedule.
    package var isAsNeeded: Bool { frequency == .asNeeded }

    /// The words that a newer version wrote into it, by field.
    var unknownWords: [(field: MedicationField, word: String)] {
        var words: [(field: MedicationField, word: String)] = []
        if let dosage, dosage.unit.word == nil { words.append((.unit, dosage.unit.text)) }
        if let form, form.word == nil { words.append((.form, form.text)) }
        if let route, route.word == nil { words.append((.route, route.text)) }
        if case .unknown(let text)? = frequency { words.append((.frequency, text)) }
        return words
    }
}
