import LinnetCRDT
import LinnetMedication
import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    /// A person uses the medication application of a device.
    func perform(_ deed: MedicationDeed, on device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, device.isMember, !inspector.views[device.index].isDamaged
        else { return }
        let wall = Instant(milliseconds: device.moment(now).wallMilliseconds)
        let at = inspector.known.medication.begin(deed, on: device.index, at: wall)
        let writes: [Write]
        do throws(MedicationError) {
            writes = try plan(deed, at: at, on: device)
        } catch {
            // A device that knows nothing of the medication yet, a dose that was taken already.
            return
        }
        guard !writes.isEmpty else {
            try inspector.show(.unrecorded(device: device.index, deed))
            return
        }
        try commit(writes, intent: deed.intent, relaxed: false, on: device)
    }

    private func plan(
        _ deed: MedicationDeed, at: Instant, on device: SimulatedDevice
    ) throws(MedicationError) -> [Write] {
        let zone = inspector.known.medication.zone(of: device.index)
        let planner = try MedicationPlanner(
            book: MedicationBook(inspector.known.medicationRecords(device.index)), now: at,
            zone: zone,
            zones: SimulatedZones.table, device: device.name, intent: deed.name)
        let id = MedicationDeed.id(deed.medication)
        var note = DoseNote()
        switch deed.kind {
        case .add(let times, let zone):
            var draft = MedicationDraft()
            draft.name = .set("medicine \(deed.medication)")
            var timing = TimingDraft()
            timing.times = times.map { ($0 / 60, $0 % 60, "") }
            timing.referenceZone = zone
            return try planner.add(draft, timing: timing, stock: MedicationReference.firstStock)
                .writes
        case .take:
            return try named(deed, note) { (note) throws(MedicationError) in
                try planner.take(id, note).writes
            }
        case .additional:
            note.isAdditional = true
            return try planner.take(id, note).writes
        case .skip:
            return try named(deed, note) { (note) throws(MedicationError) in
                try planner.skip(id, note).writes
            }
        // Nobody puts off what is hours late.
        case .snooze: return try planner.snooze(id).writes
        case .undo:
            note.scheduled = inspector.known.medication.dose(of: deed.medication, at: at)
            // Who has no dose in mind takes none back.
            guard note.scheduled != nil || inspector.known.medication.travels else { return [] }
            return try planner.undo(id, note).writes
        case .refill(let amount):
            return try planner.refill(id, by: MedicationReference.number(amount)).writes
        case .recount(let amount):
            return try planner.recount(id, to: MedicationReference.number(amount)).writes
        case .notice(let zone):
            inspector.known.medication.move(device.index, to: zone)
            let there = try MedicationPlanner(
                book: planner.book, now: at, zone: zone, zones: planner.zones,
                device: device.name, intent: deed.name)
            return try there.notice()
        case .decide(let strategy):
            let strategies = [
                TravelStrategy.keepLocalTime, .keepHomeTime, .usualGradualShift,
            ]
            return try planner.confirm(strategies[strategy])
        }
    }

    /// A tap, and once more with the dose that the person has in mind when it is asked for.
    private func named(
        _ deed: MedicationDeed, _ note: DoseNote,
        _ tap: (DoseNote) throws(MedicationError) -> [Write]
    ) throws(MedicationError) -> [Write] {
        do throws(MedicationError) {
            return try tap(note)
        } catch {
            guard case .unclearDose(let unclear) = error else { throw error }
            var note = note
            note.scheduled =
                inspector.known.medication.travels
                ? unclear.nearest?.scheduled : inspector.known.medication.dose(ofDeed: deed.number)
            guard note.scheduled != nil else { throw error }
            return try tap(note)
        }
    }
}
