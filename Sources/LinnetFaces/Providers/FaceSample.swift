public import LinnetMedication

/// Made-up data for the gallery, where nobody's own belongs.
public enum FaceSample {
    /// A snapshot of somebody who does not exist.
    public static func snapshot(at now: Instant) -> FaceSnapshot {
        let hour: Int64 = 3_600_000
        let at = { (offset: Int64) in now.advanced(byMilliseconds: offset) }
        let day = now.milliseconds / 86_400_000
        return FaceSnapshot(
            asOf: now, frontier: "sample", expires: at(24 * hour),
            zone: FaceZone(name: "UTC", spans: []),
            facts: FaceFacts(
                doses: [
                    FaceDose(
                        id: "sample-1", name: "Vitamin D", dosage: "1 capsule", form: "",
                        time: at(-3 * hour), label: "Morning", standing: .taken),
                    FaceDose(
                        id: "sample-2", name: "Ibuprofen", dosage: "200 mg", form: "tablet",
                        time: at(2 * hour), label: "Noon"),
                ],
                days: (0..<7).map { FaceDay(day: day - 6 + $0, taken: $0 == 2 ? 1 : 2, due: 2) },
                streakDays: 4,
                medications: [
                    FaceMedication(name: "Ibuprofen", dosage: "200 mg", form: "tablet"),
                    FaceMedication(name: "Vitamin D", dosage: "1 capsule", form: ""),
                ]))
    }

    /// The sample as an entry; it states nothing of anybody, so that it does not age.
    static func entry(_ kind: FaceKind, at now: Instant) -> FaceEntry {
        let entry = FaceMaker(snapshot(at: now)).entry(kind, at: now)
        return FaceEntry(date: now, content: entry.content)
    }
}
