public import LinnetMedication

/// Draws a face as a picture.
public struct PictureFace: Sendable {
    /// The content that it shows.
    public let content: FaceContent
    /// The size of the widget.
    public let family: WidgetFamily
    /// For countdowns, which run without any reload.
    public let now: Instant
    let palette: FacePalette

    /// A drawing of `content` as seen at `now`.
    public init(
        _ content: FaceContent, _ family: WidgetFamily, _ appearance: FaceAppearance = .light,
        at now: Instant
    ) {
        self.content = content
        self.family = family
        self.now = now
        palette = FacePalette(appearance)
    }

    /// The picture as an SVG document.
    public var svg: String {
        SVGWriter.document(
            scene, name: "linnet-\(content.kind.rawValue)-\(family.rawValue)",
            title: content.kind.title, description: FaceDescription.of(content, at: now))
    }

    /// The picture as shapes and words.
    package var scene: FaceScene {
        var scene = empty
        switch content {
        case .placeholder: drawPlaceholder(&scene)
        case .locked: drawNotice(&scene, "Locked", "Unlock to see", palette.quiet, drawLock)
        case .unknown(_, let reason):
            drawNotice(&scene, "Not known", reason.words, palette.due, drawQuestion)
        case .nextDose(let face): draw(face, &scene)
        case .adherence(let face):
            if family == .medium { drawMedium(face, &scene) } else { drawSmall(face, &scene) }
        case .watchHome(let face): drawWatch(face, &scene)
        case .phoneHome(let face): drawPhone(face, &scene)
        }
        return scene
    }

    private var empty: FaceScene {
        let (width, height, corner): (Double, Double, Double) =
            switch family {
            case .small: (170, 170, 22)
            case .medium: (364, 170, 22)
            case .rectangular: (172, 76, 12)
            case .circular: (76, 76, 38)
            case .corner: (76, 76, 0)
            case .inline: (257, 26, 13)
            case .watch: (198, 242, 40)
            case .phone: (393, 700, 44)
            }
        return FaceScene(width: width, height: height, corner: corner, palette)
    }

    private func draw(_ face: NextDoseFace, _ scene: inout FaceScene) {
        switch family {
        case .medium: drawMedium(face, &scene)
        case .rectangular: drawRectangular(face, &scene)
        case .circular: drawCircular(face, &scene)
        case .corner: drawCorner(face, &scene)
        case .inline: drawInline(face, &scene)
        default: drawSmall(face, &scene)
        }
    }

    // MARK: Without facts

    private func drawPlaceholder(_ scene: inout FaceScene) {
        let (width, height) = (scene.width, scene.height)
        let edge = min(16, height / 5)
        let line = max(6, min(14, height / 9))
        for (index, share) in [0.45, 0.8, 0.6].enumerated() {
            let y = edge + Double(index) * line * 2
            guard y + line <= height - edge / 2 else { break }
            let room = width - 2 * edge
            scene.box(
                family == .circular ? (width - room * share) / 2 : edge, y, room * share, line,
                radius: line / 2, palette.track)
        }
    }

    private func drawNotice(
        _ scene: inout FaceScene, _ title: String, _ detail: String, _ ink: FaceColour,
        _ draw: (inout FaceScene, Double, Double, FaceColour) -> Void
    ) {
        let (middle, height) = (scene.width / 2, scene.height)
        let room = scene.width - 16
        if family == .inline {
            scene.words(
                "\(title) · \(detail)", middle, 18, size: 14, weight: 600, ink, .middle,
                limit: room)
        } else if height <= 80 {
            draw(&scene, middle, height / 2 - 16, ink)
            scene.words(
                family == .rectangular || title == "Locked" ? title : "Unknown", middle,
                height / 2 + 12, size: 12, weight: 600, palette.ink, .middle,
                limit: family == .rectangular ? room : 58)
            if family == .rectangular {
                scene.words(
                    detail, middle, height / 2 + 28, size: 11, palette.quiet, .middle, limit: room)
            }
        } else {
            let top = family == .phone ? 260 : height / 2
            draw(&scene, middle, top - 24, ink)
            scene.words(
                title, middle, top + 18, size: 17, weight: 600, palette.ink, .middle, limit: room)
            scene.words(
                detail, middle, top + 38, size: 13, palette.quiet, .middle, limit: room)
        }
    }

    private func drawLock(
        _ scene: inout FaceScene, _ x: Double, _ y: Double, _ ink: FaceColour
    ) {
        scene.add(.ring(x: x, y: y - 5, radius: 5, line: 2.5, share: 1, ink))
        scene.box(x - 9, y - 4, 18, 14, radius: 4, ink)
    }

    private func drawQuestion(
        _ scene: inout FaceScene, _ x: Double, _ y: Double, _ ink: FaceColour
    ) {
        scene.add(.ring(x: x, y: y, radius: 11, line: 2, share: 1, ink))
        scene.words("?", x, y + 5, size: 14, weight: 700, ink, .middle, limit: 20)
    }
}
