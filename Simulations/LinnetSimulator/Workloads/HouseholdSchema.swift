import LinnetCRDT
import LinnetMedication

/// The three versions of a household's application: each knows more collections, fields and kinds.
enum HouseholdSchema {
    static let notes: UInt32 = 2_000
    static let tags: UInt32 = 2_001
    /// Every kind of field; what is deleted stays deleted.
    static let parcels: UInt32 = 2_002
    /// Every kind of field that lists what it replaces; an update outlives a delete.
    static let visits: UInt32 = 2_003
    static let doses: UInt32 = 2_004
    /// Never deleted; every dose counts once.
    static let stock: UInt32 = 2_005

    /// In a scope of its own, which a device may do without.
    static let photos: UInt32 = 2_006

    static let versions: [Schema] = [
        schema(1, [note, firstParcel, stockpile, firstVisit]),
        schema(2, [newNote, tag, secondParcel, stockpile, visit, firstDose]),
        schema(3, [newNote, tag, parcel, stockpile, visit, dose, photo]),
    ].compactMap { $0 }

    private static func schema(
        _ version: UInt32, _ collections: [Collection]
    ) -> Schema? {
        try? Schema(
            version: version, collections: [Schema.medication] + collections)
    }

    private static let note = Collection(
        id: notes, name: "notes", scope: "notes",
        fields: [
            Field(id: 1, name: "text", type: .text), Field(id: 2, name: "count", type: .int),
            Field(id: 3, name: "due", type: .instant),
        ])
    private static let newNote = Collection(
        id: notes, name: "notes", scope: "notes",
        fields: note.fields + [
            Field(id: 4, name: "colour", type: .text),
            Field(
                id: 5, name: "place",
                group: [Field.Member("east", .decimal), Field.Member("north", .decimal)]),
        ])
    private static let tag = Collection(
        id: tags, name: "tags", scope: "tags",
        fields: [Field(id: 1, name: "word", type: .text), Field(id: 2, name: "raw", type: .bytes)])

    private static func parcels(_ fields: [Field]) -> Collection {
        Collection(id: parcels, name: "parcels", scope: "notes", fields: fields)
    }
    private static let firstParcel = parcels([
        Field(id: 1, name: "note", type: .reference(notes)),
        Field(id: 2, name: "label", kind: .mv, type: .text),
    ])
    private static let secondParcel = parcels(
        firstParcel.fields + [
            Field(id: 3, name: "pieces", kind: .tally, type: .int),
            Field(id: 4, name: "body", kind: .text),
        ])
    private static let parcel = parcels(
        secondParcel.fields + [
            Field(id: 5, name: "marks", kind: .set, type: .text),
            Field(id: 6, name: "place", kind: .order),
        ])

    private static func visits(_ fields: [Field]) -> Collection {
        Collection(
            id: visits, name: "visits", scope: "notes", deletePolicy: .updateWins, fields: fields)
    }
    private static let firstVisit = visits([
        Field(id: 1, name: "title", type: .text),
        Field(id: 2, name: "cost", kind: .tally, type: .decimal),
    ])
    private static let visit = visits(
        firstVisit.fields + [
            Field(id: 3, name: "people", kind: .set, type: .text),
            Field(id: 4, name: "report", kind: .text),
            Field(id: 5, name: "mood", kind: .mv, type: .int),
        ])

    private static let firstDose = Collection.log(
        id: doses, name: "doses", scope: .always("notes"),
        fields: [
            Field(id: 1, name: "medicine", type: .text),
            Field(
                id: 2, name: "amount",
                group: [Field.Member("amount", .decimal), Field.Member("unit", .text)]),
        ])
    private static let dose = Collection.log(
        id: doses, name: "doses", scope: .always("notes"),
        fields: firstDose.fields + [Field(id: 3, name: "at", type: .instant)])
    private static let photo = Collection(
        id: photos, name: "photos", scope: .optional("photos"),
        fields: [
            Field(id: 1, name: "caption", type: .text),
            Field(id: 2, name: "faces", kind: .set, type: .text),
            Field(id: 3, name: "note", type: .reference(notes)),
        ])
    private static let stockpile = Collection(
        id: stock, name: "stock", scope: "notes", deletePolicy: .neverDelete,
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(id: 2, name: "taken", kind: .tally, type: .int),
        ])
}
