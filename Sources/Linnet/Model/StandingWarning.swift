/// A warning whose cause is still there; one for each kind and device, however often it came.
public struct StandingWarning: Equatable, Sendable {
    /// What it is, with the newest of several examples.
    public let warning: NodeWarning
    /// How often it happened, or of how many things it speaks; 1 at least.
    public var count: Int
    /// When it happened last, in Unix milliseconds; nil where that is not known.
    public var wallMilliseconds: Int64?
    /// Whether its cause cannot go, so that it stays until ``Node/acknowledgeWarnings()``.
    public let isKept: Bool
    /// Whether no command has told it yet.
    package var isUntold = false

    /// Joins the facts.
    init(
        _ warning: NodeWarning, count: Int = 1, wallMilliseconds: Int64? = nil,
        isKept: Bool = false, isUntold: Bool = false
    ) {
        self.warning = warning
        self.count = max(1, count)
        self.wallMilliseconds = wallMilliseconds
        self.isKept = isKept
        self.isUntold = isUntold
    }
}

extension StandingWarning: CustomStringConvertible {
    /// The warning's sentence, and how often when that is more than once.
    public var description: String { sentence(naming: \.label) }

    /// The same; `name` says how devices stand in it.
    package func sentence(naming name: (Device) -> String) -> String {
        warning.sentence(naming: name) + (count > 1 ? " (\(count) times)" : "")
    }
}

/// The warnings whose causes are there, as they come and go.
struct WarningBoard {
    /// In the order in which they came first.
    private(set) var standing: [StandingWarning] = []
    /// Those that the node itself met and takes back, beside what the replica knows.
    private var own: [StandingWarning] = []

    /// What became of the board.
    struct Change: Equatable {
        var began: [NodeWarning] = []
        var ended: [NodeWarning] = []
    }

    /// Counts a warning of the node's own.
    mutating func raise(_ warning: NodeWarning, at wallMilliseconds: Int64) {
        if let place = own.firstIndex(where: { $0.warning.isLike(warning) }) {
            own[place] = StandingWarning(
                warning, count: own[place].count + 1, wallMilliseconds: wallMilliseconds)
        } else {
            own.append(StandingWarning(warning, wallMilliseconds: wallMilliseconds))
        }
    }

    /// Notes a warning of the node's own that is a state and no event, or that it is over.
    mutating func hold(_ warning: NodeWarning, isSo: Bool, at wallMilliseconds: Int64) {
        guard isSo else { return own.removeAll { $0.warning.isLike(warning) } }
        if !own.contains(where: { $0.warning == warning }) {
            own.removeAll { $0.warning.isLike(warning) }
            own.append(StandingWarning(warning, wallMilliseconds: wallMilliseconds))
        }
    }

    /// Takes back those of the node's own whose cause has gone.
    mutating func end(where isOver: (NodeWarning) -> Bool) { own.removeAll { isOver($0.warning) } }

    /// Takes over what the replica knows; returns what is new and what has gone.
    mutating func update(with facts: [StandingWarning]) -> Change {
        var change = Change()
        var next: [StandingWarning] = []
        let now = facts + own
        for old in standing {
            if let same = now.first(where: { $0.warning.isLike(old.warning) }) {
                next.append(same)
            } else {
                change.ended.append(old.warning)
            }
        }
        for new in now where !next.contains(where: { $0.warning.isLike(new.warning) }) {
            next.append(new)
            change.began.append(new.warning)
        }
        standing = next
        return change
    }
}
