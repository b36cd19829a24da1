import Linnet
import LinnetFaces
import LinnetWire

/// The demonstration's output: a live table on a terminal, else plain lines or JSON.
final class DemoScreen {
    private static let refreshMilliseconds: Int64 = 250

    private let output: Output
    private let devices: [DemoDevice]
    private let isLive: Bool
    private let began = SystemClock.now().uptimeMilliseconds
    private var drawnLines = 0
    private var lastLook: Int64 = 0
    private var faces = DemoFaces(panels: [])

    init(_ output: Output, _ devices: [DemoDevice]) {
        self.output = output
        self.devices = devices
        isLive = !output.isJSON && Output.isTerminal
    }

    /// Writes the title of a scene.
    func title(_ text: String) {
        erase()
        output.say("\n       \(text)")
        draw()
    }

    /// Writes what happens now.
    func step(_ name: String, _ text: String, _ more: KeyValuePairs<String, JSON> = [:]) {
        let milliseconds = SystemClock.now().uptimeMilliseconds - began
        let seconds = "\(milliseconds / 1000).\(milliseconds % 1000 / 100)"
        let members: KeyValuePairs<String, JSON> = [
            "step": .text(name), "text": .text(text), "seconds": .number(seconds),
        ]
        erase()
        let all = (Array(members) + Array(more)).map { JSON.Member($0.key, $0.value) }
        output.result(.object(all), Self.broken(text, after: "\(pad(seconds, 5))  "))
        if output.isJSON { output.note("\(pad(seconds, 5))  \(text)", .info) }
        draw()
    }

    /// Writes whether a claim holds, with its evidence.
    func claim(_ scene: String, _ text: String, _ holds: Bool, _ evidence: JSON) {
        erase()
        let line = Self.broken("\(holds ? "holds" : "DOES NOT HOLD"): \(text)", after: "       ")
        let object: JSON = [
            "scene": .text(scene), "claim": .text(text), "holds": .bool(holds),
            "evidence": evidence,
        ]
        output.result(object, holds ? line : "\(line)\n         \(evidence.line)")
        if output.isJSON { output.note(line, .info) }
        draw()
    }

    /// Shows the faces: they stay in place on a terminal, elsewhere they are written when they
    /// change.
    func show(_ faces: DemoFaces) {
        guard faces != self.faces else { return }
        self.faces = faces
        if isLive {
            erase()
            draw()
        } else {
            let lines = faces.lines(Output.terminalSize.columns)
            output.say(([""] + lines + [""]).joined(separator: "\n"))
        }
    }

    /// Asks the devices for their state a few times a second, and draws it.
    func tick() async {
        let now = SystemClock.now().uptimeMilliseconds
        guard isLive, now - lastLook >= Self.refreshMilliseconds else { return }
        lastLook = now
        for device in devices { await device.look() }
        erase()
        draw()
    }

    /// Takes the table away; lines that follow stay.
    func end() {
        erase()
    }

    /// Returns the table as it is now, for the end of the demonstration.
    func table() -> [String] {
        var rows = [["device", "state", "connected with", "medicines", "digest"]]
        for device in devices {
            let view = device.view
            rows.append([
                device.name, device.isRunning ? "running" : "stopped",
                view.connected.isEmpty ? "-" : view.connected.joined(separator: ", "),
                view.records.isEmpty ? "-" : String(view.records.count),
                view.digest.isEmpty ? "-" : String(view.digest.prefix(12)),
            ])
        }
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            "  " + zip(row, widths).map { pad($0, -$1) }.joined(separator: "  ")
        }
    }

    private func draw() {
        guard isLive else { return }
        let room = Output.terminalSize
        var lines = table()
        // A low terminal has room for less than all panels.
        var shown = faces.lines(room.columns)
        if lines.count + shown.count + 2 >= room.rows {
            shown = faces.fitting(room.columns).lines
        }
        // The cursor could not go back over lines that are taller than the terminal.
        if !shown.isEmpty, lines.count + shown.count + 2 < room.rows { lines += [""] + shown }
        Output.draw(
            lines.map { TerminalText.neutral($0) + "\u{1b}[K\n" }.joined(), to: 1)
        drawnLines = lines.count
    }

    private func erase() {
        if drawnLines > 0 { Output.draw("\u{1b}[\(drawnLines)A\u{1b}[J", to: 1) }
        drawnLines = 0
    }

    /// Breaks a sentence between words, so that it stands beside its margin in the terminal.
    private static func broken(_ text: String, after margin: String) -> String {
        let room = max(40, min(100, Output.terminalSize.columns) - margin.count)
        let lines = FaceText.lines(of: text, columns: room, atMost: .max)
        let indent = String(repeating: " ", count: margin.count)
        return margin + lines.joined(separator: "\n" + indent)
    }

    /// Fills up with spaces: before the text for a positive width, after it for a negative one.
    private func pad(_ text: String, _ width: Int) -> String {
        let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? text + spaces : spaces + text
    }
}
