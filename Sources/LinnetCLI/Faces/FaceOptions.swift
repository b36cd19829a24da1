import Linnet
import LinnetAPI
import LinnetControl
import LinnetFaces
import LinnetMedication

/// The options that the commands around faces have in common.
struct FaceOptions {
    static let size = Option(
        "size", "S", "small, medium, rectangular, circular, corner or inline")
    static let kind = Option("kind", "KIND", "next-dose (if not given) or adherence")
    static let svg = Option("svg", "FILE", "write a picture to FILE instead, as SVG")
    static let dark = Option("dark", nil, "light text on a dark background, in pictures")
    static let at = Option("at", "TIME", "as of this moment, such as 08:00 or 2026-11-21T08:00:00Z")
    static let zone = Option("zone", "ZONE", "show times in this zone, such as Europe/Berlin")

    let kind: FaceKind
    let family: WidgetFamily

    /// Reads kind and size; without a size it takes the first one that the kind has.
    init(_ arguments: Arguments, among families: [WidgetFamily]) throws(ControlFailure) {
        let kinds: [FaceKind] = [.nextDose, .adherence]
        kind = try Self.choice("kind", arguments, kinds.map { ($0.rawValue, $0) }) ?? .nextDose
        let possible = kind.families.filter(families.contains)
        let names = possible.map { ($0.rawValue, $0) }
        guard let family = try Self.choice("size", arguments, names) ?? possible.first else {
            throw .usage("'\(kind.rawValue)' is not drawn there")
        }
        self.family = family
    }

    private static func choice<Choice>(
        _ name: String, _ arguments: Arguments, _ choices: [(String, Choice)]
    ) throws(ControlFailure) -> Choice? {
        guard let word = arguments.value(name) else { return nil }
        if let found = choices.first(where: { $0.0 == word }) { return found.1 }
        throw .usage("--\(name) takes one of: \(choices.map(\.0).joined(separator: ", "))")
    }

    /// Reads the zone of the clocks; it is the device's own when none is given.
    static func zone(_ arguments: Arguments) throws(ControlFailure) -> ZoneRules {
        try ZoneFiles.zone(named: arguments.value("zone") ?? ZoneFiles.current)
    }

    /// Reads the moment that is asked about; it is now when none is given.
    static func moment(_ arguments: Arguments) throws(ControlFailure) -> Instant {
        guard let text = arguments.value("at") else {
            return Instant(milliseconds: SystemClock.now().wallMilliseconds)
        }
        return try instant(text, "at", arguments)
    }

    /// Reads a moment from an option: in UTC with a Z at the end, or on the clocks of the zone.
    static func instant(
        _ text: String, _ option: String, _ arguments: Arguments
    ) throws(ControlFailure) -> Instant {
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        return try MedTime(zone: try zone(arguments), now: now).instant(text, option)
    }

    /// Draws a face to a file, or as text.
    static func draw(
        _ entry: FaceEntry, _ family: WidgetFamily, at now: Instant, _ invocation: Invocation
    ) throws(ControlFailure) {
        let arguments = invocation.arguments
        let text = lines(entry, family, at: now)
        var members = json(entry, family, text, at: now)
        if let path = arguments.value("svg") {
            let appearance: FaceAppearance = arguments.has("dark") ? .dark : .light
            try FileText.write(
                PictureFace(entry.content, family, appearance, at: now).svg, to: path)
            members.append(JSON.Member("svg", .text(path)))
            invocation.output.result(.object(members), "Drawn: \(TerminalText.neutral(path))")
        } else {
            invocation.output.result(.object(members), text.joined(separator: "\n"))
        }
    }

    /// Returns the lines of a face for a terminal, without the marks that keep writing directions
    /// apart: those are for pictures.
    static func lines(_ entry: FaceEntry, _ family: WidgetFamily, at now: Instant) -> [String] {
        TextFace(entry.content, family, at: now).lines.map { line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter { !("\u{2066}"..."\u{2069}").contains($0) }))
        }
    }

    static func json(
        _ entry: FaceEntry, _ family: WidgetFamily, _ text: [String], at now: Instant
    ) -> [JSON.Member] {
        [
            JSON.Member("face", .text(entry.content.kind.rawValue)),
            JSON.Member("size", .text(family.rawValue)),
            JSON.Member("state", .text(state(entry.content))),
            JSON.Member("at", .text(now.description)),
            JSON.Member("asOf", entry.asOf.map { .text($0.description) } ?? .null),
            JSON.Member("staleAfter", entry.staleAfter.map { .text($0.description) } ?? .null),
            JSON.Member("says", .text(FaceDescription.of(entry.content, at: now))),
            JSON.Member("lines", .array(text.map(JSON.text))),
        ]
    }

    private static func state(_ content: FaceContent) -> String {
        switch content {
        case .placeholder: "placeholder"
        case .locked: "locked"
        case .unknown: "unknown"
        case .nextDose, .adherence, .watchHome, .phoneHome: "known"
        }
    }
}
