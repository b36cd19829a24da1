public import LinnetCRDT

/// A medication that someone takes.
public struct Medication: Equatable, Sendable {
    /// Its identifier.
    public let id: RecordID
    /// The name that people give it.
    public var name: String
    /// The name of its active ingredient.
    public var genericName: String?
    /// The amount that is taken at once.
    public var dosage: Dosage?
    /// The form in which it comes.
    public var form: Term<DoseForm>?
    /// The route by which it enters the body.
    public var route: Term<DoseRoute>?
    /// The frequency that was prescribed.
    public var frequency: Frequency?
    /// The first day on which it is taken.
    public var startDay: Day?
    /// The last day on which it is taken.
    public var endDay: Day?
    /// True when it is taken at present.
    public var isActive: Bool
    /// The instructions to mind when taking it.
    public var instructions: String
    /// Words to find it by.
    public var tags: [String]
    /// True when a pharmacy asks for a prescription.
    public var requiresPrescription: Bool?
    /// The number of pieces in a package.
    public var packageSize: Int64?
    /// The day after which it is not to be used.
    public var expirationDay: Day?
    /// The stock at which one buys more.
    public var minimumStock: Decimal64?
    /// The number of doses that may be taken within any 24 hours.
    public var maximumPerDay: Int64?

    /// Reads a record of the collection; what has another type than the schema's is left out.
    package init(_ record: RecordView) {
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

    /// The quantity that one dose takes out of the stock.
    public var stockQuantity: Decimal64 { dosage?.stockQuantity ?? Dosage.onePiece }

    /// True when it is taken when it is needed, without a schedule.
    public var isAsNeeded: Bool { frequency == .asNeeded }

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
