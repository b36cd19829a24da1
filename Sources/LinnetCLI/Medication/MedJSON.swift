import Linnet
import LinnetCRDT
import LinnetMedication

/// Writes the domain's values for programs.
enum MedJSON {
    static func medication(_ medication: Medication, _ session: MedSession) -> JSON {
        let stock = session.book.isInStep ? session.book.stocks[medication.id] : nil
        return [
            "medication": .text(medication.id.description), "name": .text(medication.name),
            "title": .text(session.book.title(of: medication)),
            "genericName": optional(medication.genericName),
            "dosage": optional(medication.dosage?.description),
            "form": optional(medication.form?.text), "route": optional(medication.route?.text),
            "frequency": optional(medication.frequency?.text),
            "startDate": optional(medication.startDay?.description),
            "endDate": optional(medication.endDay?.description),
            "isActive": .bool(medication.isActive),
            "isDeleted": .bool(session.book.deleted[medication.id] != nil),
            "instructions": .text(medication.instructions),
            "tags": .array(medication.tags.map(JSON.text)),
            "expirationDate": optional(medication.expirationDay?.description),
            "minimumStock": optional(medication.minimumStock?.description),
            "maximumPerDay": medication.maximumPerDay.map(JSON.integer) ?? .null,
            "stock": optional(stock?.description),
            "stockMissing": optional(stock?.missingFromCount?.description),
            "schedules": .array(
                session.book.schedules(of: medication.id).map { schedule in
                    [
                        "schedule": .text(schedule.id.description),
                        "timing": optional(schedule.timing.map(MedText.text)),
                        "isActive": .bool(schedule.isActive),
                    ]
                }),
        ]
    }

    static func line(_ line: DoseLine, _ time: MedTime) -> JSON {
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

    static func adherence(_ adherence: Adherence, _ days: ClosedRange<Day>) -> JSON {
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

    static func event(_ event: DoseEvent, _ session: MedSession) -> JSON {
        let content = event.content ?? session.book.content(of: event.medication)
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

    static func optional(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }
}
