package import LinnetControl
package import LinnetMedication

/// The medicines of a home at one moment, as a person in a zone sees them.
package struct MedicineDesk: Sendable {
    /// The medicines and all that is known of them.
    package let book: MedicationBook
    /// The zone of the person.
    package let zone: ZoneRules
    /// The zones that records or the person name.
    package let zones: ZoneTable
    /// The time that is asked about.
    package let now: Instant

    /// Joins the parts.
    package init(book: MedicationBook, zone: ZoneRules, zones: ZoneTable, now: Instant) {
        self.book = book
        self.zone = zone
        self.zones = zones
        self.now = now
    }

    /// Reads and writes times in the zone.
    package var time: MedTime { MedTime(zone: zone, now: now) }

    /// Returns the instants from the start of the first day to the end of the last.
    package func range(_ days: ClosedRange<Day>) -> Range<Instant> {
        let end = zone.start(of: days.upperBound.advanced(byDays: 1))
        return zone.start(of: days.lowerBound)..<end
    }

    /// Asks the domain; a refusal becomes the failure of the call.
    package static func asked<Answer>(
        _ body: () throws(MedicationError) -> Answer
    ) throws(ControlFailure) -> Answer {
        do throws(MedicationError) {
            return try body()
        } catch {
            throw .failed(MedText.sentence(for: error))
        }
    }
}
