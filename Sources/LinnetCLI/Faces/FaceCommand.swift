import Linnet
import LinnetAPI
import LinnetControl
import LinnetFaces
import LinnetMedication

/// `linnet face`: draws the face that a phone, a watch or a widget shows of this home.
enum FaceCommand {
    static let command = Command(
        "face", words: "phone|watch|widget|complication",
        summary: "Draw what a phone, a watch or a widget shows.",
        details: """
            A phone and a watch have one size; a widget comes as small, medium or rectangular, a
            complication as circular, rectangular, corner or inline.
            """,
        options: [
            FaceOptions.size, FaceOptions.kind, FaceOptions.svg, FaceOptions.dark, FaceOptions.at,
            FaceOptions.zone,
        ],
        example: "face widget --size small --svg next-dose.svg --dark", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let (kind, family) = try face(arguments)
        let now = try FaceOptions.moment(arguments)
        let zone = try FaceOptions.zone(arguments)
        if let path = arguments.value("svg") { try FileText.requirePlace(for: path) }
        let snapshot = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await HomeFaces.snapshot(gateway, asOf: now, zone: zone)
        }
        let entry = FaceMaker(snapshot).entry(kind, at: now)
        try FaceOptions.draw(entry, family, at: now, invocation)
    }

    /// Returns the face and the size that the words name.
    private static func face(
        _ arguments: Arguments
    ) throws(ControlFailure) -> (FaceKind, WidgetFamily) {
        let families: [WidgetFamily]
        switch try arguments.words("phone|watch|widget|complication").first {
        case "phone": return try only(.phoneHome, .phone, arguments)
        case "watch": return try only(.watchHome, .watch, arguments)
        case "widget": families = [.small, .medium, .rectangular]
        case "complication": families = [.circular, .rectangular, .corner, .inline]
        case let word:
            throw .usage(
                "there is no face '\(TerminalText.neutral(word ?? ""))': phone, watch, widget or "
                    + "complication")
        }
        let options = try FaceOptions(arguments, among: families)
        return (options.kind, options.family)
    }

    private static func only(
        _ kind: FaceKind, _ family: WidgetFamily, _ arguments: Arguments
    ) throws(ControlFailure) -> (FaceKind, WidgetFamily) {
        if arguments.has("kind") || arguments.value("size").map({ $0 != family.rawValue }) ?? false
        {
            throw .usage("a \(family.rawValue) has one face and one size")
        }
        return (kind, family)
    }
}
