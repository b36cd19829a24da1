package import LinnetCRDT

/// A medication that someone takes.
package struct Medication: Equatable, Sendable {
    /// Its identifier.
    package let id: RecordID
    /// The name that people give it.
    package var name: String
    /// The name of its active ingredient.
    package var genericName: String?
    /// The amount that is taken at once.
    package var dosage: Dosage?
    /// The form in which it comes.
    package var form: Term<DoseForm>?
    /// The route by which it enters the body.
    package var route: Term<DoseRoute>?
    /// The frequency that was prescribed.
    package var frequency: Frequency?
    /// The first day on which it is taken.
    package var startDay: Day?
    /// The last day on which it is taken.
    package var endDay: Day?
    /// True when it is taken at present.
    package var isActive: Bool
    /// The instructions to mind when taking it.
    package var instructions: String
    /// Words to find it by.
    package var tags: [String]
    /// True when a pharmacy asks for a prescription.
    package var requiresPrescription: Bool?
    /// The number of pieces in a package.
    package var packageSize: Int64?
    /// The day after which it is not to be used.
    package var expirationDay: Day?
    /// The stock at which one buys more.
    package var minimumStock: Decimal64?
    /// The number of doses that may be taken within any 24 hours.
    package var maximumPerDay: Int64?

    /// Reads a record of the collection; what has another type than the schema's is left out.
    package init(_ record: StoredRecord) {
        id = record.id
        name = record.text(1) ?? ""
        genericName = record.text(2)
        dosage = record.decimal(3).map { amount in
            Dosage(amount: amount, unit: Term(record.text(3, member: 1) ?? ""))
        }
        form = record.text(4).map { Term($0) }
        route = record.text(5).map { Term($0) }
        startDay = record.day(6)
        endDay = record.day(7)
        // Who never said so takes it: a record of another program need not know the field.
        isActive = record.flag(8) ?? true
        instructions = record.text(9) ?? ""
        tags = record.elements(10)
        frequency = record.text(11).map { Frequency($0) }
        requiresPrescription = record.flag(12)
        packageSize = record.whole(13)
        expirationDay = record.day(14)
        minimumStock = record.decimal(15)
        maximumPerDay = record.whole(16)
    }

    /// The quantity that one dose takes out of the stock.
    package var stockQuantity: Decimal64 { dosage?.stockQuantity ?? Dosage.onePiece }

    /// True when it is taken when it is needed, without a schedule.
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
