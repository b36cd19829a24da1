public import LinnetCRDT

/// A schedule whose times cannot be told on this device.
package struct MissingZone: Equatable, Sendable {
    /// The schedule.
    package let schedule: RecordID
    /// The medication of the schedule.
    package let medication: RecordID
    /// The zone of which no rules are known here.
    package let zone: String
}

extension MedicationBook {
    /// The schedules of which some doses cannot be told, because the rules of a zone that they live
    /// by, or lived by, are missing here. Other schedules are not touched by that.
    package func missingZones(_ zones: ZoneTable) -> [MissingZone] {
        schedules.values.compactMap { schedule in
            let timings = schedule.earlier.map(\.timing) + [schedule.timing]
            let missing = timings.first {
                $0.pattern != .asNeeded && !zones.contains($0.referenceZone)
            }
            return missing.map {
                MissingZone(
                    schedule: schedule.id, medication: schedule.medication, zone: $0.referenceZone)
            }
        }
    }

    /// The zone whose rules are missing for telling when a medication is due; nil where all are
    /// known.
    public func missingZone(for medication: RecordID, _ zones: ZoneTable) -> String? {
        missingZones(zones).first {
            $0.medication == medication && scheduleRecords[$0.schedule]?.isActive == true
        }?.zone
    }
}
