import LinnetMedication

extension TextFace {
    /// The rows of a watch's screen.
    func watchRows(_ face: WatchHomeFace) -> [Row] {
        var rows: [Row] = [.split("Medication", face.next.asOf), .rule]
        rows += nextRows(face.next)
        if face.next.next != nil { rows.append(.middle("[ Take ]")) }
        rows += [.rule, .split(FaceWords.today(face.next.today), todayBar(face.next))]
        if let open = FaceWords.open(face.next) { rows.append(.split("! \(open)", "")) }
        if !face.medications.isEmpty {
            rows.append(.rule)
            rows += face.medications.prefix(4).map { .split($0.name, $0.dosage) }
            if face.medications.count > 4 {
                rows.append(.split("and \(face.medications.count - 4) more", ""))
            }
        }
        if !face.history.isEmpty {
            rows.append(.rule)
            rows += face.history.prefix(3).map { .split($0.name, "\($0.event) \($0.clock)") }
        }
        return rows
    }

    /// The rows of a phone's screen.
    func phoneRows(_ face: PhoneHomeFace) -> [Row] {
        var rows: [Row] = [.split(face.day, "as of \(face.next.asOf)"), .rule]
        rows += nextRows(face.next)
        rows += [.rule, .split(FaceWords.today(face.next.today), todayBar(face.next))]
        rows += face.today.prefix(8).map { dose in
            .split(
                "\(dose.clock)  \(mark(dose.standing)) \(FaceText.isolated(dose.name))  "
                    + FaceText.isolated(dose.dosage),
                FaceWords.standing(dose.standing))
        }
        if face.today.count > 8 { rows.append(.split("and \(face.today.count - 8) more", "")) }
        rows.append(.rule)
        if let percent = face.week.week.percent {
            let week = face.week.week
            let period = face.week.knownSince.map { "Since \($0)" } ?? "Week"
            rows.append(
                .split(
                    "\(period) \(percent) %  \(Self.bar(week, columns: 16))",
                    "\(week.taken) of \(week.total)"))
            rows.append(.split(FaceWords.streak(face.week), ""))
        } else {
            rows.append(.split(FaceWords.noWeek(face.week), ""))
        }
        if !face.alerts.isEmpty {
            rows.append(.rule)
            rows += face.alerts.prefix(5).map {
                .split("! \(FaceText.isolated($0.subject))", $0.detail)
            }
            if face.alerts.count > 5 {
                rows.append(.split("and \(face.alerts.count - 5) more", ""))
            }
        }
        return rows
    }

    private func nextRows(_ face: NextDoseFace) -> [Row] {
        guard let next = face.next else {
            let nothing = FaceWords.nothing(face)
            return [.split(nothing.title, ""), .split(nothing.detail, "")]
        }
        return [
            .split(FaceWords.when(next), FaceWords.countdown(next, at: now)),
            .split(next.name, ""), .split(next.detail, next.label),
        ]
    }

    private func todayBar(_ face: NextDoseFace) -> String {
        face.today.map { Self.bar($0, columns: 10) } ?? ""
    }

    private func mark(_ standing: FaceLine.Standing) -> String {
        switch standing {
        case .upcoming: "○"
        case .due: "◉"
        case .taken, .late: "✓"
        case .skipped: "–"
        case .missed: "!"
        case .unknown: "?"
        }
    }
}
