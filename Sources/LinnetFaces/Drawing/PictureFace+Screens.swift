extension PictureFace {
    func drawWatch(_ face: WatchHomeFace, _ scene: inout FaceScene) {
        let (edge, room) = (12.0, 174.0)
        scene.words("Medication", 22, 26, size: 14, weight: 600, palette.accent, limit: 100)
        scene.words(face.next.asOf, 176, 26, size: 12, palette.quiet, .trailing, limit: 60)
        var y = drawNext(face.next, &scene, x: edge, y: 38, width: room, hasSkip: false) + 10
        y = drawToday(face.next, &scene, x: edge + 8, y: y, width: room - 16) + 12
        if let open = FaceWords.open(face.next) {
            scene.words(
                open, edge + 8, y + 6, size: 13, weight: 600,
                face.next.unsettled > 0 ? palette.due : palette.bad, limit: room - 16)
            y += 18
        }
        let rows = face.medications.prefix(4).map { ($0.name, $0.dosage) }
        let more = FaceWords.more(face.medications.count - rows.count)
        y = drawList(
            "Medications", rows + (more.isEmpty ? [] : [(more, "")]), &scene, edge, y, room)
        let events = face.history.prefix(3).map { ($0.name, "\($0.event) \($0.clock)") }
        y = drawList("History", Array(events), &scene, edge, y, room)
        scene.height = max(scene.height, y + 18)
    }

    /// A titled card of rows with a text at either end; returns where it ends.
    private func drawList(
        _ title: String, _ rows: [(String, String)], _ scene: inout FaceScene, _ x: Double,
        _ y: Double, _ width: Double
    ) -> Double {
        guard !rows.isEmpty else { return y }
        let room = width - 24
        let wants = rows.map { row in
            // A text that leaves too little room for the name stands below it.
            let end = min(width / 2, FaceScene.width(of: row.1, size: 12))
            let isBelow = FaceScene.width(of: row.0, size: 14) > room - 8 - end
            return (isBelow: isBelow && !row.1.isEmpty, limit: isBelow ? room : room - 8 - end)
        }
        let lines = zip(rows, wants).map { row, want in
            FaceScene.lines(of: row.0, size: 14, limit: want.limit, atMost: 3).count
                + (want.isBelow ? 1 : 0)
        }
        let height = 28 + lines.reduce(0) { $0 + 20 + Double($1 - 1) * 16 }
        scene.box(x, y, width, height, radius: 14, palette.card)
        scene.words(
            title, x + 12, y + 19, size: 12, weight: 600, palette.quiet, on: palette.card,
            limit: room)
        var baseline = y + 38
        for (index, row) in rows.enumerated() {
            let last = baseline + Double(lines[index] - 1) * 16
            scene.lines(
                row.0, x + 12, baseline, size: 14, palette.ink, on: palette.card,
                limit: wants[index].limit, atMost: 3, step: 16)
            scene.words(
                row.1, x + width - 12, wants[index].isBelow ? last : baseline, size: 12,
                palette.quiet, on: palette.card, .trailing,
                limit: wants[index].isBelow ? room : width / 2)
            baseline = last + 20
        }
        return y + height + 10
    }

    /// The card of the next dose with its buttons; returns where it ends.
    private func drawNext(
        _ face: NextDoseFace, _ scene: inout FaceScene, x: Double, y: Double, width: Double,
        hasSkip: Bool
    ) -> Double {
        let (left, room) = (x + 14, width - 28)
        guard let next = face.next else {
            let nothing = FaceWords.nothing(face)
            scene.box(x, y, width, 70, radius: 18, palette.card)
            scene.words(
                nothing.title, left, y + 32, size: 19, weight: 700, palette.ink, on: palette.card,
                limit: room)
            scene.words(
                nothing.detail, left, y + 52, size: 13, palette.quiet, on: palette.card,
                limit: room)
            return y + 70
        }
        let rows = FaceScene.lines(
            of: next.name, size: 20, weight: 700, limit: room, atMost: 3
        ).count
        let below = y + Double(rows - 1) * 22
        scene.box(x, y, width, below - y + 138, radius: 18, palette.card)
        let countdown = FaceWords.countdown(next, at: now, points: room / 2)
        let end = min(room / 2, FaceScene.width(of: countdown, size: 13, weight: 600))
        scene.words(
            FaceWords.when(next), left, y + 25, size: 15, weight: 700, urgency(next),
            on: palette.card, limit: room - end - 8)
        scene.words(
            countdown, x + width - 14, y + 25, size: 13, weight: 600, palette.quiet,
            on: palette.card, .trailing, limit: room / 2)
        scene.lines(
            next.name, left, y + 51, size: 20, weight: 700, palette.ink, on: palette.card,
            limit: room, atMost: 3, step: 22)
        scene.words(
            next.detail, left, below + 71, size: 13, palette.quiet, on: palette.card, limit: room)
        let button = hasSkip ? (room - 10) / 2 : room
        drawButton("Take", &scene, left, below + 86, button, palette.accent, palette.ground)
        if hasSkip {
            drawButton(
                "Skip", &scene, left + button + 10, below + 86, button, palette.track,
                palette.ink)
        }
        return below + 138
    }

    private func drawButton(
        _ title: String, _ scene: inout FaceScene, _ x: Double, _ y: Double, _ width: Double,
        _ fill: FaceColour, _ ink: FaceColour
    ) {
        scene.box(x, y, width, 38, radius: 19, fill)
        scene.words(
            title, x + width / 2, y + 24.5, size: 16, weight: 600, ink, on: fill, .middle,
            limit: width)
    }

    /// Today's progress with its bar; returns where it ends.
    private func drawToday(
        _ face: NextDoseFace, _ scene: inout FaceScene, x: Double, y: Double, width: Double
    ) -> Double {
        scene.words(
            FaceWords.today(face.today), x, y + 14, size: 13, weight: 600, palette.ink,
            limit: width)
        guard let today = face.today, today.total > 0 else { return y + 20 }
        let share = Double(today.taken) / Double(today.total)
        scene.bar(x, y + 23, width, 6, share: share, palette.good)
        return y + 29
    }

    func drawPhone(_ face: PhoneHomeFace, _ scene: inout FaceScene) {
        let (edge, room) = (20.0, 353.0)
        scene.words(face.day, edge, 66, size: 30, weight: 700, palette.ink, limit: 250)
        scene.words(
            "as of \(face.next.asOf)", 373, 66, size: 12, palette.quiet, .trailing, limit: 120)
        var y = drawNext(face.next, &scene, x: edge, y: 84, width: room, hasSkip: true) + 16
        y = drawToday(face.next, &scene, x: edge + 4, y: y, width: room - 8) + 12
        y = drawDoses(face, &scene, edge, y, room)
        y = drawWeek(face, &scene, edge, y, room)
        y = drawAlerts(face, &scene, edge, y, room)
        scene.height = max(scene.height, y + 24)
    }

    private func drawDoses(
        _ face: PhoneHomeFace, _ scene: inout FaceScene, _ x: Double, _ y: Double,
        _ width: Double
    ) -> Double {
        let list = FaceList(face.today, room: FaceList.phoneRows)
        guard !list.shown.isEmpty else { return y }
        let rows = list.shown.map { dose in
            FaceScene.lines(of: dose.name, size: 15, limit: nameRoom(dose, width), atMost: 3).count
        }
        let height =
            14 + rows.reduce(0) { $0 + 34 + Double($1 - 1) * 18 } + (list.more > 0 ? 30 : 0)
        scene.box(x, y, width, height, radius: 18, palette.card)
        var baseline = y + 29
        for (dose, lines) in zip(list.shown, rows) {
            drawMark(dose.standing, &scene, x + 22, baseline - 5)
            scene.words(
                dose.clock, x + 42, baseline, size: 15, weight: 600, palette.ink,
                on: palette.card, limit: 50)
            scene.lines(
                dose.name, x + 94, baseline, size: 15, palette.ink, on: palette.card,
                limit: nameRoom(dose, width), atMost: 3, step: 18)
            scene.words(
                FaceWords.standing(dose.standing), x + width - 14, baseline, size: 13,
                colour(of: dose.standing), on: palette.card, .trailing, limit: 110)
            baseline += 34 + Double(lines - 1) * 18
        }
        scene.words(
            list.rest, x + 94, baseline - 2, size: 13, weight: 600, palette.quiet,
            on: palette.card, limit: width - 108)
        return y + height + 14
    }

    /// The room of a name between the time and the word for what became of the dose.
    private func nameRoom(_ dose: FaceLine, _ width: Double) -> Double {
        width - 94 - 14 - 8 - FaceScene.width(of: FaceWords.standing(dose.standing), size: 13)
    }

    private func colour(of standing: FaceLine.Standing) -> FaceColour {
        switch standing {
        case .upcoming, .skipped: palette.quiet
        case .taken, .late: palette.good
        case .due, .unknown: palette.due
        case .missed: palette.bad
        }
    }

    private func drawMark(
        _ standing: FaceLine.Standing, _ scene: inout FaceScene, _ x: Double, _ y: Double
    ) {
        let ink = colour(of: standing)
        switch standing {
        case .taken, .late: drawCheck(&scene, x, y, ink)
        case .upcoming: scene.add(.ring(x: x, y: y, radius: 7, line: 1.5, share: 1, ink))
        case .due:
            scene.add(.ring(x: x, y: y, radius: 7, line: 2, share: 1, ink))
            scene.box(x - 3, y - 3, 6, 6, radius: 3, ink)
        case .skipped:
            scene.add(
                .stroke(
                    [FaceScene.Point(x: x - 5, y: y), FaceScene.Point(x: x + 5, y: y)], line: 2.5,
                    ink))
        case .missed, .unknown:
            scene.words(
                standing == .missed ? "!" : "?", x, y + 6, size: 17, weight: 700, ink,
                on: palette.card, .middle, limit: 20)
        }
    }

    private func drawWeek(
        _ face: PhoneHomeFace, _ scene: inout FaceScene, _ x: Double, _ y: Double,
        _ width: Double
    ) -> Double {
        scene.box(x, y, width, 118, radius: 18, palette.card)
        drawRing(face.week, &scene, x + 58, y + 59, radius: 36, on: palette.card)
        guard face.week.week.percent != nil else {
            scene.words(
                FaceWords.noWeek(face.week), x + 118, y + 64, size: 15, palette.quiet,
                on: palette.card, limit: width - 132)
            return y + 132
        }
        let week = face.week.week
        scene.words(
            "\(week.taken) of \(week.total) "
                + (face.week.knownSince.map { "since \($0)" } ?? "this week"), x + 118, y + 28,
            size: 15, weight: 600,
            palette.ink, on: palette.card, limit: width - 132)
        scene.words(
            FaceWords.streak(face.week), x + 118, y + 46, size: 13,
            palette.quiet, on: palette.card, limit: width - 132)
        drawDays(
            face.week, &scene, x: x + 114, bottom: y + 90, width: width - 128, height: 32,
            on: palette.card)
        return y + 132
    }

    private func drawAlerts(
        _ face: PhoneHomeFace, _ scene: inout FaceScene, _ x: Double, _ y: Double,
        _ width: Double
    ) -> Double {
        let alerts = face.alerts.prefix(5)
        guard !alerts.isEmpty else { return y }
        let limits = alerts.map { alert in
            width - 56 - min(150, FaceScene.width(of: alert.detail, size: 13)) - 8
        }
        let rows = zip(alerts, limits).map { alert, limit in
            max(
                FaceScene.lines(of: alert.subject, size: 14, limit: limit, atMost: 3).count,
                FaceScene.lines(of: alert.detail, size: 13, limit: 150, atMost: 2).count)
        }
        let more = FaceWords.more(face.alerts.count - alerts.count)
        let height =
            14 + rows.reduce(0) { $0 + 30 + Double($1 - 1) * 17 } + (more.isEmpty ? 0 : 26)
        scene.box(x, y, width, height, radius: 18, palette.card)
        var baseline = y + 27
        for (index, alert) in alerts.enumerated() {
            scene.words(
                "!", x + 22, baseline + 1, size: 17, weight: 700, palette.bad, on: palette.card,
                .middle, limit: 20)
            scene.lines(
                alert.subject, x + 42, baseline, size: 14, palette.ink, on: palette.card,
                limit: limits[index], atMost: 3, step: 17)
            let lines = FaceScene.lines(of: alert.detail, size: 13, limit: 150, atMost: 2)
            for (row, line) in lines.enumerated() {
                scene.words(
                    line, x + width - 14, baseline + Double(row) * 17, size: 13, palette.quiet,
                    on: palette.card, .trailing, limit: 150)
            }
            baseline += 30 + Double(rows[index] - 1) * 17
        }
        scene.words(
            more, x + 42, baseline - 2, size: 13, weight: 600, palette.quiet, on: palette.card,
            limit: width - 56)
        return y + height + 14
    }
}
