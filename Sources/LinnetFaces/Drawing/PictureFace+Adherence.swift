extension PictureFace {
    func drawSmall(_ face: AdherenceFace, _ scene: inout FaceScene) {
        scene.words(
            FaceWords.adherenceTitle(face), 16, 28, size: 13, weight: 600, palette.accent,
            limit: 100)
        scene.words(face.asOf, 154, 28, size: 11, palette.quiet, .trailing, limit: 60)
        drawRing(face, &scene, 85, 85, radius: 39)
        guard face.week.percent != nil else {
            scene.words(
                face.hasMedications ? FaceWords.noAdherence(face) : "Add a medication", 85, 154,
                size: 12,
                palette.quiet, .middle, limit: 138)
            return
        }
        scene.words(
            "\(face.week.taken) of \(face.week.total)", 16, 154, size: 13, weight: 600,
            palette.ink, limit: 66)
        scene.words(
            FaceWords.shortStreak(face), 154, 154, size: 12, palette.quiet,
            .trailing, limit: 86)
    }

    /// The ring with the rate in its middle.
    func drawRing(
        _ face: AdherenceFace, _ scene: inout FaceScene, _ x: Double, _ y: Double,
        radius: Double, on ground: FaceColour? = nil
    ) {
        let week = face.week
        let share = week.total == 0 ? 0 : Double(week.taken) / Double(week.total)
        scene.ring(x, y, radius: radius, line: radius / 3.6, share: share, palette.good)
        let text = week.percent.map { "\($0)%" } ?? "–"
        scene.words(
            text, x, y + radius * 0.2, size: radius * 0.56, weight: 700, palette.ink, on: ground,
            .middle, limit: radius * 1.7)
    }

    func drawMedium(_ face: AdherenceFace, _ scene: inout FaceScene) {
        drawRing(face, &scene, 78, 85, radius: 50)
        scene.words(
            FaceWords.adherenceTitle(face), 156, 34, size: 13, weight: 600, palette.accent,
            limit: 100)
        scene.words(face.asOf, 348, 34, size: 11, palette.quiet, .trailing, limit: 76)
        guard face.week.percent != nil else {
            scene.words(
                FaceWords.noAdherence(face), 156, 84, size: 17, weight: 600, palette.ink, limit: 192
            )
            scene.words(
                FaceWords.beginning(face), 156, 104, size: 13, palette.quiet, limit: 192)
            return
        }
        scene.words(
            "\(face.week.taken) of \(face.week.total) taken", 156, 58, size: 17, weight: 600,
            palette.ink, limit: 192)
        scene.words(
            FaceWords.streak(face), 156, 77, size: 13, palette.quiet,
            limit: 192)
        drawDays(face, &scene, x: 156, bottom: 138, width: 192, height: 44)
    }

    /// One bar for each day, and its first letter.
    func drawDays(
        _ face: AdherenceFace, _ scene: inout FaceScene, x: Double, bottom: Double, width: Double,
        height: Double, on ground: FaceColour? = nil
    ) {
        let step = width / 7
        for (index, day) in face.days.suffix(7).enumerated() {
            let left = x + step * Double(index)
            let bar = step - 10
            let total = day.progress.total
            scene.box(
                left + 5, bottom - height, bar, height, radius: min(5, bar / 2), palette.track)
            if total > 0, day.progress.taken > 0 {
                let full = height * Double(day.progress.taken) / Double(total)
                let isWhole = day.progress.taken == total
                scene.box(
                    left + 5, bottom - full, bar, full, radius: min(5, bar / 2),
                    isWhole ? palette.good : palette.due)
            }
            scene.words(
                String(day.name.prefix(1)), left + step / 2, bottom + 15, size: 11,
                weight: index == face.days.count - 1 ? 700 : 400,
                index == face.days.count - 1 ? palette.ink : palette.quiet, on: ground, .middle,
                limit: step)
        }
    }
}
