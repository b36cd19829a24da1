import LinnetFaces
import LinnetMedication
import Testing

struct TextFaceTests {
    @Test(arguments: FaceCase.faces)
    func `every line is as wide as the frame`(_ face: FaceSize) {
        for situation in FaceCase.all {
            let drawn = TextFace(situation.content(face.kind), face.family, at: situation.now)
            let frame = face.family == .inline ? drawn.columns : drawn.columns + 4
            #expect(!drawn.lines.isEmpty)
            for line in drawn.lines {
                #expect(FaceText.columns(line) == frame, "\(situation.name): \(line)")
            }
        }
    }

    @Test func `a name from outside cannot command the terminal`() {
        let reading = SnapshotReading.read(
            FaceCase.snapshot([FaceCase.dose("\u{1b}[2J\u{202e}evil\n\u{7}", 13)]))
        for face in FaceCase.faces {
            let text = FaceCase(name: "", reading: reading).text(face).joined()
            let marks = text.unicodeScalars.filter {
                $0.value < 0x20 || $0.value == 0x202e || (0x7f..<0xa0).contains($0.value)
            }
            #expect(marks.isEmpty)
        }
    }
}
