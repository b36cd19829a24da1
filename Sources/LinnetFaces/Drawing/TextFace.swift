public import LinnetMedication

/// Draws a face for a terminal, in a frame of fixed columns.
public struct TextFace: Sendable {
    /// The content that it shows.
    public let content: FaceContent
    /// The size of the widget.
    public let family: WidgetFamily
    /// For countdowns, which run without any reload.
    public let now: Instant

    /// A drawing of `content` as seen at `now`.
    public init(_ content: FaceContent, _ family: WidgetFamily, at now: Instant) {
        self.content = content
        self.family = family
        self.now = now
    }

    /// Columns between the edges of the frame.
    public var columns: Int {
        switch family {
        case .small: 22
        case .medium: 46
        case .rectangular: 30
        case .circular, .corner: 12
        case .inline: 40
        case .watch: 30
        case .phone: 48
        }
    }

    /// The lines, all as wide.
    public var lines: [String] {
        if family == .inline {
            return [FaceText.padded(inlineText, columns: columns)]
        }
        let edge = String(repeating: "─", count: columns + 2)
        let rows = rows.map { row in "│ " + self.row(row) + " │" }
        return ["╭\(edge)╮"] + rows + ["╰\(edge)╯"]
    }

    /// One row: a text at the left, one at the right that is never cut.
    enum Row {
        case split(String, String)
        case middle(String)
        case rule
    }

    private func row(_ row: Row) -> String {
        switch row {
        case .split(let left, let right):
            if right.isEmpty { return FaceText.padded(left, columns: columns) }
            let end = FaceText.fit(right, columns: columns)
            let rest = max(0, columns - FaceText.columns(end) - 1)
            return FaceText.padded(left, columns: rest)
                + (rest + FaceText.columns(end) < columns ? " " : "") + FaceText.isolated(end)
        case .middle(let text):
            let fitting = FaceText.fit(text, columns: columns)
            let missing = max(0, columns - FaceText.columns(fitting))
            return String(repeating: " ", count: missing / 2) + FaceText.isolated(fitting)
                + String(repeating: " ", count: missing - missing / 2)
        case .rule: return String(repeating: "─", count: columns)
        }
    }

    // MARK: What stands in the rows

    private var inlineText: String {
        switch content {
        case .placeholder: return "Next dose"
        case .locked: return "Locked"
        case .unknown(_, let reason): return "Not known · \(reason.words)"
        case .nextDose(let face):
            guard let next = face.next else { return FaceWords.nothing(face).title }
            let name = FaceText.isolated(next.name)
            return "\(FaceWords.when(next)) \(name) \(FaceWords.countdown(next, at: now))"
        case .adherence, .watchHome, .phoneHome: return content.kind.title
        }
    }

    private var rows: [Row] {
        switch content {
        case .placeholder(let kind):
            return filled([
                .split(kind.title, ""), .split("░░░░░░░░", ""), .split("░░░░░░░░░░░░", ""),
            ])
        case .locked(let kind):
            return filled([.split(kind.title, ""), .middle("Locked"), .middle("Unlock to see")])
        case .unknown(let kind, let reason):
            return filled([
                .split(kind.title, "?"), .middle("Not known"), .middle(reason.words),
            ])
        case .nextDose(let face): return nextDoseRows(face)
        case .adherence(let face): return adherenceRows(face)
        case .watchHome(let face): return watchRows(face)
        case .phoneHome(let face): return phoneRows(face)
        }
    }

    /// As many rows as the frame of small faces has.
    private func filled(_ rows: [Row]) -> [Row] {
        let height =
            switch family {
            case .rectangular, .circular, .corner: 3
            default: 6
            }
        return rows + Array(repeating: Row.split("", ""), count: max(0, height - rows.count))
    }

    private func nextDoseRows(_ face: NextDoseFace) -> [Row] {
        guard let next = face.next else {
            let nothing = FaceWords.nothing(face)
            if family == .circular || family == .corner {
                return filled([.split("", ""), .middle(FaceWords.brief(face))])
            }
            return filled([
                .split("Next dose", ""), .split(nothing.title, ""), .split(nothing.detail, ""),
                .split(FaceWords.open(face) ?? "", ""), .split("", ""),
                .split(face.hasMedications ? FaceWords.today(face.today) : "", face.asOf),
            ])
        }
        let countdown = FaceWords.countdown(next, at: now)
        switch family {
        case .circular, .corner:
            let brief = FaceWords.countdown(next, at: now, columns: columns)
            let rows = [next.clock, next.name, brief]
            return rows.map { family == .circular ? .middle($0) : .split($0, "") }
        case .rectangular:
            return [
                .split(FaceWords.when(next), countdown), .split(next.name, ""),
                .split(next.detail, FaceWords.open(face) ?? ""),
            ]
        case .medium:
            let following = face.following.map {
                Row.split($0.name, FaceWords.when($0))
            }
            return filled(
                [
                    .split("Next dose", countdown), .split(next.name, FaceWords.when(next)),
                    .split(next.detail, FaceWords.open(face) ?? ""),
                ] + following.prefix(2)
                    + Array(repeating: .split("", ""), count: max(0, 2 - following.count))
                    + [.split(FaceWords.today(face.today), "as of \(face.asOf)")])
        default:
            let name = FaceText.lines(of: next.name, columns: columns, atMost: 2)
            // A second line of the name takes the place of the line that says what is open, unless
            // something is.
            let rows =
                name.map { Row.split(FaceText.isolated($0), "") }
                + [.split(next.detail, ""), .split(FaceWords.when(next), "")]
            let open = FaceWords.open(face)
            return filled(
                [.split(title(beside: countdown), countdown)] + rows
                    + (rows.count > 3 && open == nil ? [] : [.split(open ?? "", "")])
                    + [.split(FaceWords.today(face.today), face.asOf)])
        }
    }

    private func title(beside countdown: String) -> String {
        FaceText.columns("Next dose " + countdown) <= columns ? "Next dose" : "Next"
    }

    private func adherenceRows(_ face: AdherenceFace) -> [Row] {
        guard let percent = face.week.percent else {
            return filled([
                .split("Adherence", ""), .split(FaceWords.noAdherence(face), ""),
                .split(face.hasMedications ? "this week" : "Add a medication in the app", ""),
            ])
        }
        let bar = Self.bar(face.week, columns: family == .medium ? 24 : 12)
        let streak = FaceWords.streak(face)
        if family == .medium {
            let days = face.days.map { "\($0.name) \($0.progress.taken)/\($0.progress.total)" }
            return filled([
                .split(
                    face.knownSince.map { "Adherence, known since \($0)" }
                        ?? "Adherence, last 7 days", "as of \(face.asOf)"),
                .split("\(percent) %  \(bar)", "\(face.week.taken) of \(face.week.total)"),
                .split(streak, ""), .split(days.prefix(4).joined(separator: "   "), ""),
                .split(days.dropFirst(4).joined(separator: "   "), ""),
            ])
        }
        return filled([
            .split(FaceWords.adherenceTitle(face), face.asOf), .split("\(percent) %", bar),
            .split("\(face.week.taken) of \(face.week.total) taken", ""), .split(streak, ""),
        ])
    }

    /// A bar of blocks.
    static func bar(_ progress: FaceProgress, columns: Int) -> String {
        let full = progress.total == 0 ? 0 : progress.taken * columns / progress.total
        return String(repeating: "█", count: full) + String(repeating: "░", count: columns - full)
    }
}
