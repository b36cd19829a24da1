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
            rows += face.medications.prefix(4).flatMap { wrapped($0.name, $0.dosage) }
            if face.medications.count > 4 {
                rows.append(.split(FaceWords.more(face.medications.count - 4), ""))
            }
        }
        if !face.history.isEmpty {
            rows.append(.rule)
            rows += face.history.prefix(3).flatMap {
                wrapped($0.name, "\($0.event) \($0.clock)")
            }
        }
        return rows
    }

    /// The rows of a phone's screen.
    func phoneRows(_ face: PhoneHomeFace) -> [Row] {
        var rows: [Row] = [.split(face.day, "as of \(face.next.asOf)"), .rule]
        rows += nextRows(face.next)
        rows += [.rule, .split(FaceWords.today(face.next.today), todayBar(face.next))]
        let list = FaceList(face.today, room: FaceList.phoneRows)
        rows += list.shown.flatMap { dose in
            wrapped(
                dose.dosage.isEmpty ? dose.name : "\(dose.name)  \(dose.dosage)",
                FaceWords.standing(dose.standing),
                after: "\(dose.clock)  \(mark(dose.standing)) ")
        }
        if list.more > 0 { rows.append(.split("         " + list.rest, "")) }
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
            rows += face.alerts.prefix(5).flatMap { wrapped($0.subject, $0.detail, after: "! ") }
            if face.alerts.count > 5 {
                rows.append(.split("  " + FaceWords.more(face.alerts.count - 5), ""))
            }
        }
        return rows
    }

    /// The rows of a text with another one at the right of its first row; a text that is longer
    /// goes on below, and is cut at the end of the third row.
    func wrapped(_ left: String, _ right: String, after head: String = "") -> [Row] {
        let indent = String(repeating: " ", count: FaceText.columns(head))
        let end = right.isEmpty ? 0 : FaceText.columns(right) + 1
        let whole = columns - indent.count
        // A word that has no room beside the other text gets the whole row, and that a row below.
        let isBelow =
            end > 0
            && left.split(separator: " ").contains {
                FaceText.columns(String($0)) > whole - end
            }
        let lines = FaceText.lines(
            of: left, columns: isBelow ? whole : max(8, whole - end), atMost: 3)
        let rows = lines.enumerated().map { index, line in
            Row.split(
                (index == 0 ? head : indent) + FaceText.isolated(line),
                index == 0 && !isBelow ? right : "")
        }
        return rows + (isBelow ? [.split("", right)] : [])
    }

    private func nextRows(_ face: NextDoseFace) -> [Row] {
        guard let next = face.next else {
            let nothing = FaceWords.nothing(face)
            return [.split(nothing.title, ""), .split(nothing.detail, "")]
        }
        return [
            .split(FaceWords.when(next), FaceWords.countdown(next, at: now))
        ] + wrapped(next.name, "") + [.split(next.detail, next.label)]
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
