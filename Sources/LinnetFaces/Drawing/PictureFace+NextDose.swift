extension PictureFace {
    /// The colour of a countdown.
    func urgency(_ dose: FaceLine) -> FaceColour {
        dose.standing == .due ? palette.due : palette.accent
    }

    /// A capsule of two halves, the mark of a dose.
    func drawCapsule(_ scene: inout FaceScene, _ x: Double, _ y: Double, _ ink: FaceColour) {
        let half = [
            FaceScene.Point(x: x - 4, y: y + 4), FaceScene.Point(x: x + 4, y: y - 4),
        ]
        scene.add(.stroke(half, line: 7, ink))
        scene.add(
            .stroke(
                [FaceScene.Point(x: x, y: y), FaceScene.Point(x: x + 4, y: y - 4)], line: 3.5,
                palette.ground))
    }

    func drawSmall(_ face: NextDoseFace, _ scene: inout FaceScene) {
        drawColumn(face, &scene, edge: 16, room: 138)
        scene.words(
            face.asOf, 154, 154, size: 11, palette.quiet, .trailing, limit: 70)
        if face.next == nil, face.hasMedications {
            scene.words(
                FaceWords.today(face.today), 16, 154, size: 11, weight: 600, palette.quiet,
                limit: 90)
        }
    }

    /// The column that small and medium widgets have in common.
    private func drawColumn(
        _ face: NextDoseFace, _ scene: inout FaceScene, edge: Double, room: Double
    ) {
        drawCapsule(&scene, edge + 8, 24, palette.accent)
        scene.words(
            "Next dose", edge + 21, 28.5, size: 13, weight: 600, palette.accent, limit: room - 21)
        guard let next = face.next else {
            let nothing = FaceWords.nothing(face)
            scene.words(
                nothing.title, edge, 76, size: 17, weight: 700, palette.ink, limit: room)
            scene.words(nothing.detail, edge, 98, size: 13, palette.quiet, limit: room)
            drawOpen(face, &scene, edge, 126, room)
            return
        }
        let clockWidth = FaceScene.width(of: next.clock, size: 34, weight: 700)
        let dayRoom = room - clockWidth - 4
        scene.words(next.clock, edge, 66, size: 34, weight: 700, palette.ink, limit: room)
        if next.day != "Today" {
            // A word that has no room gives way to a shorter one.
            let isBroad = FaceScene.width(of: next.day, size: 12, weight: 600) > dayRoom
            scene.words(
                isBroad ? next.weekday : next.day, edge + clockWidth + 4, 66, size: 12,
                weight: 600, palette.quiet, limit: dayRoom)
        }
        if FaceScene.width(of: next.name, size: 17, weight: 600) <= room {
            scene.words(next.name, edge, 92, size: 17, weight: 600, palette.ink, limit: room)
            scene.words(next.detail, edge, 111, size: 13, palette.quiet, limit: room)
        } else {
            scene.lines(
                next.name, edge, 86, size: 14, weight: 600, palette.ink, limit: room, atMost: 2,
                step: 16)
            scene.words(next.detail, edge, 118, size: 12, palette.quiet, limit: room)
        }
        drawOpen(face, &scene, edge, 135, room)
        scene.words(
            FaceWords.countdown(next, at: now), edge, 154, size: 13, weight: 600, urgency(next),
            limit: room - 42)
    }

    private func drawOpen(
        _ face: NextDoseFace, _ scene: inout FaceScene, _ x: Double, _ y: Double, _ room: Double
    ) {
        guard let open = FaceWords.open(face) else { return }
        scene.words(
            open, x, y, size: 12, weight: 600, face.unsettled > 0 ? palette.due : palette.bad,
            limit: room)
    }

    func drawMedium(_ face: NextDoseFace, _ scene: inout FaceScene) {
        drawColumn(face, &scene, edge: 16, room: 158)
        scene.box(186, 16, 162, 138, radius: 14, palette.card)
        scene.words(
            "Later", 198, 38, size: 13, weight: 600, palette.quiet, on: palette.card, limit: 80)
        drawLater(face.following, &scene)
        if face.following.isEmpty {
            scene.words(
                "Nothing more planned", 198, 60, size: 13, palette.quiet, on: palette.card,
                limit: 138)
        }
        if let today = face.today {
            let share = today.total == 0 ? 0 : Double(today.taken) / Double(today.total)
            scene.bar(198, 128, 138, 5, share: share, palette.good)
        }
        scene.words(
            FaceWords.today(face.today), 198, 149, size: 11, weight: 600, palette.quiet,
            on: palette.card, limit: 96)
        scene.words(
            face.asOf, 336, 149, size: 11, palette.quiet, on: palette.card, .trailing, limit: 70)
    }

    /// The doses after the next one: up to three, or two where a name needs a second line.
    private func drawLater(_ doses: [FaceLine], _ scene: inout FaceScene) {
        var y = 58.0
        for dose in doses.prefix(3) {
            let when = FaceWords.shortWhen(dose)
            let width = min(92, FaceScene.width(of: when, size: 12, weight: 600))
            let limit = 138 - width - 8
            let rows = FaceScene.lines(of: dose.name, size: 12, limit: limit, atMost: 2).count
            guard y + Double(rows - 1) * 14 <= 116 else { break }
            scene.words(
                when, 336, y, size: 12, weight: 600, palette.quiet, on: palette.card, .trailing,
                limit: 92)
            scene.lines(
                dose.name, 198, y, size: 12, palette.ink, on: palette.card, limit: limit,
                atMost: 2, step: 14)
            y += 20 + Double(rows - 1) * 14
        }
    }

    func drawRectangular(_ face: NextDoseFace, _ scene: inout FaceScene) {
        guard let next = face.next else {
            let nothing = FaceWords.nothing(face)
            scene.box(10, 12, 4, 52, radius: 2, palette.track)
            scene.words(
                nothing.title, 22, 34, size: 16, weight: 600, palette.ink, limit: 142)
            scene.words(
                FaceWords.open(face) ?? nothing.detail, 22, 54, size: 13, palette.quiet, limit: 142)
            return
        }
        scene.box(10, 12, 4, 52, radius: 2, urgency(next))
        let when = FaceWords.when(next)
        let countdown = FaceWords.countdown(next, at: now)
        let width = FaceScene.width(of: countdown, size: 12, weight: 600)
        scene.words(
            when, 22, 26, size: 14, weight: 700, urgency(next), limit: 134 - width)
        scene.words(
            countdown, 162, 26, size: 12, weight: 600, palette.quiet, .trailing, limit: 100)
        scene.words(next.name, 22, 45, size: 15, weight: 600, palette.ink, limit: 142)
        if let open = FaceWords.open(face) {
            scene.words(
                open, 22, 62, size: 12, weight: 600,
                face.unsettled > 0 ? palette.due : palette.bad, limit: 142)
        } else {
            scene.words(next.detail, 22, 62, size: 12, palette.quiet, limit: 142)
        }
    }

    func drawCircular(_ face: NextDoseFace, _ scene: inout FaceScene) {
        let today = face.today
        let share =
            (today?.total ?? 0) == 0 ? 0 : Double(today?.taken ?? 0) / Double(today?.total ?? 1)
        scene.ring(38, 38, radius: 34, line: 5, share: share, palette.good)
        guard let next = face.next else {
            if face.isDone {
                drawCheck(&scene, 38, 32, palette.good)
            } else {
                scene.add(
                    .stroke(
                        [FaceScene.Point(x: 32, y: 32), FaceScene.Point(x: 44, y: 32)], line: 3,
                        palette.quiet))
            }
            scene.words(
                FaceWords.brief(face), 38, 56, size: 11, weight: 600, palette.quiet, .middle,
                limit: 48)
            return
        }
        scene.words(
            next.day == "Today" ? "" : String(next.day.prefix(3)), 38, 24, size: 9, weight: 600,
            palette.quiet, .middle, limit: 34)
        scene.words(
            next.clock, 38, 42, size: 18, weight: 700, urgency(next), .middle, limit: 58)
        scene.words(next.name, 38, 55, size: 10, weight: 600, palette.ink, .middle, limit: 46)
    }

    func drawCorner(_ face: NextDoseFace, _ scene: inout FaceScene) {
        let today = face.today
        scene.add(.quarter(x: 72, y: 72, radius: 64, line: 5, share: 1, palette.track))
        if let today, today.total > 0, today.taken > 0 {
            let share = Double(today.taken) / Double(today.total)
            scene.add(.quarter(x: 72, y: 72, radius: 64, line: 5, share: share, palette.good))
        }
        guard let next = face.next else {
            scene.words(
                FaceWords.brief(face), 44, 45, size: 11, weight: 600,
                palette.ink, .middle, limit: 62, turn: -45)
            return
        }
        scene.words(
            next.name, 41, 41, size: 11, weight: 600, palette.ink, .middle, limit: 62, turn: -45)
        scene.words(
            next.clock, 54, 55, size: 17, weight: 700, urgency(next), .middle, limit: 56,
            turn: -45)
    }

    func drawInline(_ face: NextDoseFace, _ scene: inout FaceScene) {
        let text: String
        if let next = face.next {
            let countdown = FaceWords.countdown(next, at: now)
            let ends = "\(FaceWords.when(next))   · \(countdown)"
            let room = 229 - FaceScene.width(of: ends, size: 14, weight: 600)
            let name = FaceText.isolated(
                FaceText.fit(next.name, ems: room / 14, isBold: true))
            text = "\(FaceWords.when(next)) \(name) · \(countdown)"
        } else {
            text = FaceWords.nothing(face).title
        }
        scene.words(
            text, 128.5, 18, size: 14, weight: 600, palette.ink, .middle, limit: 237)
    }

    /// A check mark.
    func drawCheck(_ scene: inout FaceScene, _ x: Double, _ y: Double, _ ink: FaceColour) {
        scene.add(
            .stroke(
                [
                    FaceScene.Point(x: x - 6, y: y), FaceScene.Point(x: x - 1.5, y: y + 4.5),
                    FaceScene.Point(x: x + 6.5, y: y - 5),
                ], line: 3, ink))
    }
}
