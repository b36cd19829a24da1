package import LinnetMedication

/// Says in sentences what a face shows, for people who hear it.
package enum FaceDescription {
    /// The sentences of a face as seen at an instant.
    package static func of(_ content: FaceContent, at now: Instant) -> String {
        switch content {
        case .placeholder: return "Nothing has been loaded yet."
        case .locked: return "Locked until this device is unlocked."
        case .unknown(_, let reason): return "Not known. \(reason.words)."
        case .nextDose(let face): return nextDose(face, at: now)
        case .adherence(let face): return adherence(face)
        case .watchHome(let face):
            let names = face.medications.map(\.name).joined(separator: ", ")
            return nextDose(face.next, at: now) + (names.isEmpty ? "" : " Medications: \(names).")
        case .phoneHome(let face):
            let alerts = face.alerts.map { FaceWords.alert($0) + "." }
            let doses = face.today.map {
                "\($0.clock) \($0.name), \(FaceWords.standing($0.standing))."
            }
            return ([nextDose(face.next, at: now)] + doses + [adherence(face.week)] + alerts)
                .joined(separator: " ")
        }
    }

    private static func nextDose(_ face: NextDoseFace, at now: Instant) -> String {
        var sentences: [String] = []
        if let next = face.next {
            let what = [next.name, next.dosage, next.form].filter { !$0.isEmpty }
            sentences.append(
                "Next dose: \(what.joined(separator: ", ")), \(FaceWords.when(next)), "
                    + "\(FaceWords.countdown(next, at: now)).")
        } else {
            let nothing = FaceWords.nothing(face)
            sentences.append("\(nothing.title). \(nothing.detail).")
        }
        if let open = FaceWords.open(face) { sentences.append("\(open).") }
        if face.hasMedications { sentences.append("\(FaceWords.today(face.today)).") }
        if !face.asOf.isEmpty { sentences.append("As of \(face.asOf).") }
        return sentences.joined(separator: " ")
    }

    private static func adherence(_ face: AdherenceFace) -> String {
        guard let percent = face.week.percent else {
            return face.knownSince == nil
                ? "Adherence: nothing known to be due." : "Adherence: not known here."
        }
        let period = face.knownSince.map { "since \($0)" } ?? "in seven days"
        return "Adherence \(period): \(percent) percent, \(face.week.taken) of "
            + "\(FaceWords.doses(face.week.total)) taken, \(FaceWords.streak(face)). As of "
            + "\(face.asOf)."
    }
}
