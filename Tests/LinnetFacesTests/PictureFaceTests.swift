import Foundation
import LinnetFaces
import Testing

struct PictureFaceTests {
    /// Every face in every size, situation and appearance.
    static let pictures: [PictureFace] = FaceAppearance.allCases.flatMap { appearance in
        FaceCase.faces.flatMap { face in
            FaceCase.all.map { $0.picture(face, appearance) }
                + [PictureFace(.placeholder(face.kind), face.family, appearance, at: FaceCase.noon)]
        }
    }

    @Test func `every picture is well formed to xmllint`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("linnet-faces-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for (number, picture) in Self.pictures.enumerated() {
            let url = folder.appendingPathComponent("\(number).svg")
            try Data(picture.svg.utf8).write(to: url)
            paths.append(url.path)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xmllint", "--noout", "--nonet"] + paths
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let complaints = String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(complaints)")
        #expect(paths.count > 200)
    }

    @Test func `every picture says what it shows to those who hear it`() {
        for picture in Self.pictures {
            let svg = picture.svg
            let name = "linnet-\(picture.content.kind.rawValue)-\(picture.family.rawValue)"
            #expect(svg.contains("role=\"img\""))
            #expect(svg.contains("aria-labelledby=\"\(name)-title \(name)-desc\""))
            #expect(
                svg.contains("<title id=\"\(name)-title\">\(picture.content.kind.title)</title>"))
            let description = FaceDescription.of(picture.content, at: picture.now)
            #expect(description.count > 10)
            #expect(svg.contains("<desc id=\"\(name)-desc\">"))
        }
    }

    @Test func `words stand out from what is behind them`() throws {
        var words = 0
        for picture in Self.pictures {
            let scene = picture.scene
            for (index, element) in scene.elements.enumerated() {
                guard case .words(let line) = element else { continue }
                words += 1
                let behind = ground(of: line, in: scene, below: index)
                #expect(behind == line.ground, "\(line.text) is not on what it says")
                let contrast = contrast(line.ink, behind)
                #expect(contrast >= 4.5, "\(line.text): \(contrast)")
            }
        }
        #expect(words > 1_000)
    }

    @Test func `the contrast of black and white is the largest there is`() {
        let (black, white) = (FacePalette(.dark).ground, FacePalette(.light).ground)
        #expect(abs(contrast(black, white) - 21) < 0.001)
        #expect(contrast(white, white) == 1)
    }

    @Test func `words keep inside of their picture`() {
        for picture in Self.pictures {
            let scene = picture.scene
            for element in scene.elements {
                guard case .words(let line) = element, line.turn == 0 else { continue }
                let width =
                    FaceText.ems(line.text, isBold: line.weight >= 600) * line.size
                let left =
                    switch line.anchor {
                    case .leading: line.place.x
                    case .middle: line.place.x - width / 2
                    case .trailing: line.place.x - width
                    }
                #expect(width <= line.limit + 0.001)
                #expect(
                    left >= 0 && left + width <= scene.width + 0.001,
                    "\(picture.family) \(line.text)")
                #expect(line.place.y <= scene.height && line.place.y >= line.size * 0.7)
            }
        }
    }

    @Test func `a name from outside cannot leave its place in the document`() {
        let name = "</text><script>alert(1)</script>&amp;\u{202e}\u{0}\u{ffff}\"'"
        let reading = SnapshotReading.read(FaceCase.snapshot([FaceCase.dose(name, 13)]))
        let svg = FaceCase(name: "hostile", reading: reading)
            .picture(FaceSize(kind: .phoneHome, family: .phone)).svg
        #expect(!svg.contains("<script"))
        #expect(svg.contains("&lt;/text&gt;&lt;script&gt;"))
        #expect(
            !svg.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{0}" || $0 == "\u{ffff}" })
    }

    @Test func `a name written from right to left begins at the right of its own line only`() {
        let situation = FaceCase.all.first { $0.name == "written from right to left" }
        let svg = situation?.picture(FaceSize(kind: .nextDose, family: .small)).svg ?? ""
        let line = svg.split(separator: "\n").first { $0.contains("باراسيتامول</text>") }
        #expect(line?.contains("direction=\"rtl\"") == true)
        #expect(line?.contains("text-anchor=\"end\"") == true)
        #expect(line?.contains("x=\"16\"") == true)
    }

    // MARK: WCAG 2.2, definitions of contrast ratio and relative luminance

    private func contrast(_ one: FaceColour, _ other: FaceColour) -> Double {
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private func luminance(_ colour: FaceColour) -> Double {
        let parts = [colour.red, colour.green, colour.blue].map { part -> Double in
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// The colour of the last box drawn before an element that lies under its place.
    private func ground(
        of words: FaceScene.Words, in scene: FaceScene, below index: Int
    ) -> FaceColour {
        var ground = scene.palette.ground
        for element in scene.elements[..<index] {
            guard case .box(let x, let y, let width, let height, _, let fill) = element else {
                continue
            }
            let (px, py) = (words.place.x, words.place.y - words.size * 0.3)
            if px >= x, px <= x + width, py >= y, py <= y + height { ground = fill }
        }
        return ground
    }
}
