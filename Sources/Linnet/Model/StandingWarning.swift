/// A warning whose cause is still there; one for each kind and device, however often it came.
public struct StandingWarning: Equatable, Sendable {
    /// The warning, with the newest of several examples.
    public let warning: NodeWarning
    /// The number of times that it happened, or of the things that it is about; 1 at least.
    public var count: Int
    /// The time at which it last happened, in Unix milliseconds; nil where that is not known.
    public var wallMilliseconds: Int64?
    /// True when its cause cannot go, so that it stays until ``Node/acknowledgeWarnings()``.
    public let isKept: Bool
    /// True when no command has told it yet.
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
    /// The warning's sentence, with the number of times when that is above one.
    public var description: String { sentence(naming: \.label) }

    /// Returns the same with the names that `name` gives devices.
    package func sentence(naming name: (Device) -> String) -> String {
        warning.sentence(naming: name) + (count > 1 ? " (\(count) times)" : "")
    }
}

/// The warnings whose causes are there, as they come and go.
struct WarningBoard {
    /// The warnings that stand, in the order in which they first came.
    private(set) var standing: [StandingWarning] = []
    /// The warnings that the node itself raises and takes back, beside those that the replica
    /// knows.
    private var own: [StandingWarning] = []

    /// The warnings that came and went in one update.
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

    /// Notes that a warning of the node's own, which is a state and not an event, holds or is over.
    mutating func hold(_ warning: NodeWarning, isSo: Bool, at wallMilliseconds: Int64) {
        guard isSo else { return own.removeAll { $0.warning.isLike(warning) } }
        if !own.contains(where: { $0.warning == warning }) {
            own.removeAll { $0.warning.isLike(warning) }
            // Each opening tells anew of what is wrong with the program; other states show in the
            // status alone.
            own.append(
                StandingWarning(
                    warning, wallMilliseconds: wallMilliseconds,
                    isUntold: warning.kind == .integrity))
        }
    }

    /// Notes that a command told the warnings of the node's own.
    mutating func markTold() {
        for place in own.indices { own[place].isUntold = false }
    }

    /// Takes back the warnings of the node's own whose cause has gone.
    mutating func end(where isOver: (NodeWarning) -> Bool) { own.removeAll { isOver($0.warning) } }

    /// Takes over the warnings that the replica knows; returns those that are new and those that
    /// have gone.
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
