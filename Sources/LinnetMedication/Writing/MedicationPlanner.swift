public import LinnetCRDT

/// Turns what a person wants into changes of records, or says which field breaks which rule.
///
/// Identifiers follow from the intent, and doses from schedules and time: a command that is planned
/// twice, here or on another device, comes to the same records.
public struct MedicationPlanner: Sendable {
    /// The book from which the planner knows everything.
    public let book: MedicationBook
    /// The instant at which the person acts.
    public let now: Instant
    /// The person's zone, by its IANA name.
    public let zone: String
    /// All zones.
    public let zones: ZoneTable
    /// The device, as its people call it.
    public let device: String?
    /// The beginning of the device's identifier, which tells it from others of the same name.
    public let witness: String?
    /// The name of this wish and of no other; a retry repeats it.
    public let intent: RecordID

    /// A plain tap means a dose at most so much earlier or later than its time: 60 minutes.
    public static let windowMilliseconds: Int64 = 3_600_000

    /// Longest intent: what is made under it names the doses of a schedule in 64 bytes.
    public static let longestIntentBytes = 39

    /// A planner for one command; throws when the intent cannot be part of identifiers.
    public init(
        book: MedicationBook, now: Instant, zone: String, zones: ZoneTable, device: String? = nil,
        witness: String? = nil, intent: String
    ) throws(MedicationError) {
        guard intent.utf8.count <= MedicationPlanner.longestIntentBytes,
            let name = RecordID(intent)
        else { throw .invalid(.intent, .identifier) }
        self.book = book
        self.now = now
        self.zone = zone
        self.zones = zones
        self.device = device
        self.witness = witness
        self.intent = name
    }

    /// The identifier of what this command logs in the month of an instant.
    func eventID(at instant: Instant) throws(MedicationError) -> RecordID {
        guard let id = DoseEvent.id(intent: intent.description, at: instant) else {
            throw .invalid(.intent, .identifier)
        }
        return id
    }

    /// The medication with an identifier, not deleted.
    func medication(_ id: RecordID) throws(MedicationError) -> Medication {
        guard let medication = book.medications[id] else {
            throw .invalid(.medication, .exists)
        }
        return medication
    }

    /// The rules of the person's zone.
    func ownZone() throws(MedicationError) -> ZoneRules {
        try known(zone)
    }

    func known(_ zone: String) throws(MedicationError) -> ZoneRules {
        do throws(MedicationError) {
            return try zones.zone(named: zone)
        } catch {
            throw .invalid(.referenceTimeZone, .knownZone)
        }
    }
}
