import Linnet
import LinnetAPI
import LinnetControl
import LinnetFaces
import LinnetMedication
import LinnetWire

/// `linnet widget`: leaves snapshots for widgets, or is a widget itself.
enum WidgetCommand {
    static let command = Command(
        "widget", words: "publish|show|run",
        summary: "Leave a signed snapshot for widgets, or be a widget that shows it.",
        details: """
            'publish' writes what faces need to the shared directory; with --follow, it does so
            again whenever something changes. 'show' draws what a widget shows now; 'run' is a
            widget: it keeps a timeline and a budget, and says when an entry comes up. Both read
            only the snapshot, neither home nor keys.
            """,
        options: [
            Option("share", "DIR", "the directory that app and widgets share"),
            Option("follow", nil, "publish: again whenever records change, until stopped"),
            Option("foreground", nil, "publish: the app is in the foreground, so reloads are free"),
            FaceOptions.kind, FaceOptions.size,
            Option("place", "PLACE", "run: screen (if not given) or watch-face"),
            Option("key", "HEX", "trust this public key, not the one in the directory"),
            Option("locked", nil, "show, run: as before the first unlock after a reboot"),
            Option("speed", "N", "run: time passes N times as fast, 1 to 100000"),
            Option("until", "TIME", "run: end at this moment"),
            FaceOptions.svg, FaceOptions.dark, FaceOptions.at, FaceOptions.zone,
        ],
        example: "widget publish --share share", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("publish|show|run")
        guard let path = invocation.arguments.value("share"), !path.isEmpty else {
            throw .usage("name the shared directory with --share DIR")
        }
        try requireOptions(of: words[0], invocation.arguments)
        let container = WidgetShare(path: path)
        switch words[0] {
        case "publish": try await publish(container, invocation)
        case "show": try show(container, invocation)
        case "run": try await WidgetProcess.run(container, invocation)
        default:
            throw .usage(
                "'\(TerminalText.neutral(words[0]))' is not one of publish, show and run")
        }
    }

    /// The options that only some of the three words understand.
    private static let owners: [(option: String, words: [String])] = [
        ("follow", ["publish"]), ("foreground", ["publish"]), ("kind", ["show", "run"]),
        ("size", ["show", "run"]), ("key", ["show", "run"]), ("locked", ["show", "run"]),
        ("place", ["run"]), ("speed", ["run"]), ("until", ["run"]), ("svg", ["show"]),
        ("dark", ["show"]),
    ]

    private static func requireOptions(
        of word: String, _ arguments: Arguments
    ) throws(ControlFailure) {
        let words = ["publish", "show", "run"]
        guard words.contains(word) else { return }
        for (option, owners) in owners where arguments.has(option) && !owners.contains(word) {
            throw .usage(
                "--\(option) does not belong to 'widget \(word)': it is for "
                    + owners.joined(separator: " and "))
        }
        if let key = arguments.value("key"), Hex.decode(key)?.count != 32 {
            throw .usage("--key takes a public key: 64 hexadecimal digits")
        }
        let places = ["screen", "watch-face"]
        if let place = arguments.value("place"), !places.contains(place) {
            throw .usage("--place takes one of: \(places.joined(separator: ", "))")
        }
    }

    // MARK: The app

    /// The time after which the snapshot is made anew although nothing changed, so that faces stay
    /// fresh.
    private static let renewal = Duration.seconds(300)

    private static func publish(
        _ container: WidgetShare, _ invocation: Invocation
    ) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let zone = try FaceOptions.zone(arguments)
        try container.makeDirectory()
        guard let feed = HomeFeed(invocation.home, renewal: Self.renewal) else {
            throw ControlFailure(LinnetError.noResources)
        }
        while await feed.next() != nil {
            let now = try FaceOptions.moment(arguments)
            let snapshot = try await invocation.withGateway { (gateway) throws(ControlFailure) in
                try await HomeFaces.snapshot(gateway, asOf: now, zone: zone)
            }
            try container.publish(
                snapshot, invocation.home, isInForeground: arguments.has("foreground"))
            invocation.output.result(
                [
                    "event": "published", "asOf": .text(now.description),
                    "frontier": .text(snapshot.frontier),
                    "doses": .integer(snapshot.facts.doses.count),
                ], "Published as of \(now) to \(TerminalText.neutral(container.path)).")
            guard arguments.has("follow") else { return }
        }
    }

    // MARK: A widget, once

    private static func show(
        _ container: WidgetShare, _ invocation: Invocation
    ) throws(ControlFailure) {
        let arguments = invocation.arguments
        let options = try FaceOptions(arguments, among: WidgetFamily.allCases)
        try container.requireDirectory()
        let now = try FaceOptions.moment(arguments)
        let reading: SnapshotReading =
            arguments.has("locked")
            ? .locked : container.reading(pinned: arguments.value("key"), at: now)
        let entry = FaceSource(options.kind, reading).entry(at: now)
        try FaceOptions.draw(entry, options.family, at: now, invocation)
    }
}
