package import Linnet
import LinnetCRDT
package import LinnetMedication

/// Writes the domain's values for programs.
package enum MedJSON {
    /// Returns a medicine with its schedules and stock.
    package static func medication(_ medication: Medication, _ book: MedicationBook) -> JSON {
        let stock = book.isInStep ? book.stocks[medication.id] : nil
        return [
            "medication": .text(medication.id.description), "name": .text(medication.name),
            "title": .text(book.title(of: medication)),
            "genericName": optional(medication.genericName),
            "dosage": optional(medication.dosage?.description),
            "form": optional(medication.form?.text), "route": optional(medication.route?.text),
            "frequency": optional(medication.frequency?.text),
            "startDate": optional(medication.startDay?.description),
            "endDate": optional(medication.endDay?.description),
            "isActive": .bool(medication.isActive),
            "isDeleted": .bool(book.deleted[medication.id] != nil),
            "instructions": .text(medication.instructions),
            "tags": .array(medication.tags.map(JSON.text)),
            "expirationDate": optional(medication.expirationDay?.description),
            "minimumStock": optional(medication.minimumStock?.description),
            "maximumPerDay": medication.maximumPerDay.map(JSON.integer) ?? .null,
            "stock": optional(stock?.description),
            "stockMissing": optional(stock?.missingFromCount?.description),
            "schedules": .array(
                book.schedules(of: medication.id).map { schedule in
                    [
                        "schedule": .text(schedule.id.description),
                        "timing": optional(schedule.timing.map(MedText.text)),
                        "isActive": .bool(schedule.isActive),
                    ]
                }),
        ]
    }

    /// Returns a dose of a list.
    package static func line(_ line: DoseLine, _ time: MedTime) -> JSON {
        var takenAt: Instant?
        if case .taken(let at, _) = line.status { takenAt = at }
        return [
            "dose": .text(line.key.stockKey), "medication": .text(line.medication.description),
            "name": .text(line.name), "dosage": optional(line.dosage?.description),
            "form": optional(line.form?.text), "scheduled": .text(line.scheduled.description),
            "local": .text(time.text(line.scheduled)), "zone": .text(time.zone.name),
            "label": .text(line.label), "status": .text(line.status.word),
            "takenAt": optional(takenAt?.description), "witnesses": .integer(line.witnesses),
            "isScheduled": .bool(line.isScheduled), "asRecorded": .bool(line.isAsRecorded),
        ]
    }

    /// Returns how well doses were taken over days.
    package static func adherence(_ adherence: Adherence, _ days: ClosedRange<Day>) -> JSON {
        [
            "from": .text(days.lowerBound.description), "to": .text(days.upperBound.description),
            "total": .integer(adherence.total), "taken": .integer(adherence.taken),
            "missed": .integer(adherence.missed), "skipped": .integer(adherence.skipped),
            "late": .integer(adherence.late),
            "rateThousandths": adherence.rateThousandths.map(JSON.integer) ?? .null,
            "streakDays": .integer(adherence.streak.days),
            "streakIsWhole": .bool(adherence.streak.isWhole),
            "knownSince": optional(adherence.knownSince?.description),
            "daysFromTotals": .integer(adherence.totalDays),
        ]
    }

    /// Returns what was recorded of a dose.
    package static func event(_ event: DoseEvent, _ book: MedicationBook) -> JSON {
        let content = event.content ?? book.content(of: event.medication)
        return [
            "event": .text(event.id.description), "kind": .text(event.kind.text),
            "medication": .text(event.medication.description),
            "name": .text(content.name), "dosage": optional(content.dosage?.description),
            "form": optional(content.form?.text), "asRecorded": .bool(event.content != nil),
            "dose": optional(event.key?.stockKey),
            "scheduled": optional(event.scheduled?.description),
            "at": .text(event.at.description), "timeZone": .text(event.timeZone),
            "reason": optional(event.reason?.text), "note": optional(event.note),
            "device": optional(event.device), "additional": .bool(event.isAdditional),
            "undoes": .array(event.undoes.map { .text($0.description) }),
        ]
    }

    /// Returns a text, or null.
    package static func optional(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }

    /// Returns decisions that were made apart, of which one counts.
    package static func dispute(_ dispute: Dispute) -> JSON {
        func decision(_ adjustment: Adjustment, _ standing: String) -> JSON {
            [
                "strategy": .text(adjustment.strategy), "standing": .text(standing),
                "device": optional(adjustment.device), "zone": .text(adjustment.zone),
                "at": .text(adjustment.at.description),
            ]
        }
        return [
            "schedule": .text(dispute.schedule.description),
            "medication": .text(dispute.medication.description), "decidedApart": true,
            "decisions": .array(
                [dispute.counts].compactMap { $0 }.map { decision($0, "counts") }
                    + dispute.superseded.map { decision($0, "superseded") }),
        ]
    }

    /// Returns one way in which a schedule may go on.
    package static func option(
        _ option: TravelOption, of proposal: Proposal
    ) -> JSON {
        [
            "schedule": .text(proposal.schedule.id.description),
            "medication": .text(proposal.schedule.medication.description),
            "from": .text(proposal.change.from), "to": .text(proposal.change.to),
            "strategy": .text(option.strategy.name),
            "doses": .array(
                option.doses.map { dose in
                    [
                        "scheduled": .text(dose.occurrence.scheduled.description),
                        "here": .text(dose.here.description), "home": .text(dose.home.description),
                        "gapMinutes": dose.gapMinutes.map(JSON.integer) ?? .null,
                        "warning": optional(dose.warning?.rawValue),
                    ]
                }),
        ]
    }
}
