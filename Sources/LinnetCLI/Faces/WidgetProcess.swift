import Linnet
import LinnetAPI
import LinnetControl
import LinnetFaces
import LinnetMedication
import Synchronization

/// A widget as a process of its own: a host with one widget and the snapshot, and nothing else.
struct WidgetProcess {
    private static let id = WidgetID(1)
    private static let pollMilliseconds: Int64 = 100

    private let container: WidgetShare
    private let options: FaceOptions
    private let invocation: Invocation
    private let pinned: String?
    private let clock: WidgetClock
    private let until: Instant?
    private var host = WidgetHost<FaceEntry>()
    private var stamp: FileStamp
    private var isInForeground = false
    private var lastSaid: FaceEntry?

    static func run(
        _ container: WidgetShare, _ invocation: Invocation
    ) async throws(ControlFailure) {
        var process = try WidgetProcess(container, invocation)
        await process.run()
    }

    private init(
        _ container: WidgetShare, _ invocation: Invocation
    ) throws(ControlFailure) {
        let arguments = invocation.arguments
        self.container = container
        self.invocation = invocation
        options = try FaceOptions(arguments, among: WidgetFamily.allCases)
        pinned = arguments.value("key")
        var speed: Int64 = 1
        if let text = arguments.value("speed") {
            guard let given = Int64(text), (1...100_000).contains(given) else {
                throw .usage("--speed takes a whole number from 1 to 100000")
            }
            speed = given
        }
        clock = WidgetClock(start: try FaceOptions.moment(arguments), speed: speed)
        until = try arguments.value("until").map { (text) throws(ControlFailure) in
            try FaceOptions.instant(text, "until", arguments)
        }
        try container.requireDirectory()
        stamp = container.stamp
    }

    private mutating func run() async {
        let arguments = invocation.arguments
        let place: WidgetConfiguration.Place =
            arguments.value("place") == "watch-face" ? .watchFace : .screen
        isInForeground = container.isInForeground
        tell(.app(isInForeground: isInForeground), at: clock.now)
        if arguments.has("locked") { tell(.rebooted, at: clock.now) }
        let configuration = WidgetConfiguration(
            kind: options.kind.rawValue, family: options.family, place: place)
        tell(.added(Self.id, configuration), at: clock.now)
        while true {
            let now = until.map { min($0, clock.now) } ?? clock.now
            lookAtContainer(at: now)
            // A host is woken at its deadlines, also at those that a fast clock has passed already.
            while let deadline = host.deadline, deadline <= now {
                tell(.wake, at: deadline)
                if host.deadline == deadline { break }
            }
            if let until, now >= until { return }
            try? await Task.sleep(for: .milliseconds(Self.pollMilliseconds))
        }
    }

    /// Looks for another snapshot: the app that left it asks for new timelines, as apps do with
    /// `WidgetCenter`.
    private mutating func lookAtContainer(at now: Instant) {
        if container.isInForeground != isInForeground {
            isInForeground.toggle()
            tell(.app(isInForeground: isInForeground), at: now)
        }
        let found = container.stamp
        if found != stamp {
            stamp = found
            tell(.reloadAll, at: now)
        }
    }

    private mutating func tell(_ input: WidgetInput<FaceEntry>, at now: Instant) {
        for effect in host.handle(input, at: now) {
            switch effect {
            case .ask(let id, let request, let context):
                let timeline = timeline(in: context, at: now)
                say("asked", [JSON.Member("entries", .integer(timeline.entries.count))], at: now)
                tell(.timeline(id, request: request, timeline), at: now)
            case .show(_, let shown): show(shown, at: now)
            case .hide: break
            }
        }
    }

    private func timeline(in context: TimelineContext, at now: Instant) -> Timeline<FaceEntry> {
        let reading = container.reading(pinned: pinned, at: now)
        return options.kind == .adherence
            ? AdherenceProvider(reading).timeline(in: context, at: now)
            : NextDoseProvider(reading).timeline(in: context, at: now)
    }

    // MARK: What it says

    /// Shows an entry, unless a reload only brought the same one again.
    private mutating func show(_ shown: Shown<FaceEntry>, at now: Instant) {
        let entry: FaceEntry =
            switch shown {
            case .placeholder: FaceEntry(date: now, content: .placeholder(options.kind))
            case .locked: FaceEntry(date: now, content: .locked(options.kind))
            case .entry(let entry): entry
            }
        if let lastSaid, lastSaid.content == entry.content, lastSaid.asOf == entry.asOf { return }
        lastSaid = entry
        let text = FaceOptions.lines(entry, options.family, at: now)
        let members = FaceOptions.json(entry, options.family, text, at: now)
        let left = host.reloadsLeft(Self.id, at: now)
        invocation.output.result(
            .object(
                [JSON.Member("event", "show")] + members + [
                    JSON.Member("reloadsLeft", left.map(JSON.integer) ?? .null)
                ]), ([now.description] + text).joined(separator: "\n"))
    }

    private func say(_ event: String, _ more: [JSON.Member], at now: Instant) {
        guard invocation.output.isJSON else { return }
        let members = [
            JSON.Member("event", .text(event)), JSON.Member("at", .text(now.description)),
        ]
        invocation.output.result(.object(members + more), "")
    }
}

/// A wall clock that may start at another moment and run faster.
private struct WidgetClock {
    private let start: Instant
    private let speed: Int64
    private let began = ContinuousClock.now

    init(start: Instant, speed: Int64) {
        self.start = start
        self.speed = speed
    }

    var now: Instant {
        let passed = (ContinuousClock.now - began).components
        let milliseconds = passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
        let (run, overflow) = milliseconds.multipliedReportingOverflow(by: speed)
        return start.advanced(byMilliseconds: overflow ? .max : run)
    }
}
