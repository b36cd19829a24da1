package import LinnetCRDT
import LinnetWire

extension MedicationPlanner {
    /// Records that the device is in another zone than before; nothing is written when it is not.
    ///
    /// - Parameter isSaidByPerson: whether a person names the zone, not the system.
    package func notice(isSaidByPerson: Bool = false) throws(MedicationError) -> [Write] {
        _ = try ownZone()
        let id = try eventID(at: now)
        if book.timeZoneEvents[id] != nil { return [] }
        let own = book.timeZoneEvents.values.filter { $0.device == device }.map(\.change)
        let active = activeSchedules.compactMap { $0.timing?.referenceZone }
        guard
            let (from, detection) = ZoneChange.noticed(
                known: ZoneChange.latest(own)?.to, current: zone, schedules: active)
        else { return [] }
        let event = TimeZoneEvent(
            change: ZoneChange(id: id, from: from, to: zone, at: now),
            detection: .known(isSaidByPerson ? .person : detection), device: device)
        return [Write(inserting: event.record)]
    }

    /// Returns what may become of the schedules after the last change of zone, each by its
    /// strategies; nothing for schedules that it does not concern or that someone decided about,
    /// unless that was done apart.
    ///
    /// - Parameter minutesPerDay: the step of the gradual shift that is previewed.
    public func proposals(
        minutesPerDay: Int = GradualShift.usualMinutesPerDay
    ) throws(MedicationError) -> [Proposal] {
        let changes = book.timeZoneEvents.values.map(\.change)
        guard let change = ZoneChange.latest(changes) else { return [] }
        let disputed = OrderedSet(book.disputes.map(\.schedule))
        var proposals: [Proposal] = []
        for record in activeSchedules {
            guard let schedule = book.schedules[record.id] else { continue }
            do throws(MedicationError) {
                let proposal = try Proposal(
                    schedule: schedule, change: change,
                    decidedZone: book.histories[record.id]?.decidedZone, now: now,
                    logged: lastLogged(record.id), zones: zones, minutesPerDay: minutesPerDay,
                    isDisputed: disputed.contains(record.id))
                if let proposal { proposals.append(proposal) }
            } catch .unknownZone where zones.contains(change.to) {
                // `missingZones` names it; the others can be decided about.
                continue
            }
        }
        return proposals
    }

    /// Decides how schedules go on after a change of zone: those of the proposals that are asked
    /// for, or all of them.
    ///
    /// Each has an entry in the log under an identifier of its own; who decides at the same time
    /// elsewhere for the same schedule either wins as a whole or is shown as superseded. Where that
    /// has happened the decision confirms one of them, or makes another, and settles the matter.
    package func confirm(
        _ strategy: TravelStrategy, of asked: [RecordID]? = nil
    ) throws(MedicationError) -> [Write] {
        var writes: [Write] = []
        for (number, proposal) in try proposals().enumerated() {
            let schedule = proposal.schedule
            if let asked, !asked.contains(schedule.id) { continue }
            guard let option = try option(strategy, of: proposal) else { continue }
            let suffix = number == 0 ? "" : "+\(number)"
            guard
                let id = DoseEvent.id(intent: intent.description.prefix(36) + suffix, at: now)
            else { throw .invalid(.intent, .identifier) }
            if book.adjustments[id] != nil { continue }
            writes += adjusting(try proposal.confirming(option, id: id, at: now))
        }
        return writes
    }

    /// Returns what a strategy makes of a schedule: where decisions were made apart, what the one
    /// that chose it made of it.
    private func option(
        _ strategy: TravelStrategy, of proposal: Proposal
    ) throws(MedicationError) -> TravelOption? {
        let schedule = proposal.schedule
        guard let dispute = book.disputes.first(where: { $0.schedule == schedule.id }) else {
            return try proposal.option(strategy)
        }
        if let counts = dispute.counts, counts.follows(strategy) {
            return try proposal.option(strategy, restoring: schedule.timing)
        }
        if let lost = dispute.superseded.last(where: { $0.follows(strategy) }) {
            return try proposal.option(strategy, restoring: lost.after)
        }
        return try proposal.option(strategy)
    }

    /// The schedules that make doses due at present.
    var activeSchedules: [ScheduleRecord] {
        book.scheduleRecords.values.filter { record in
            record.isActive && book.medications[record.medication]?.isActive == true
        }
    }
}
