/// The desk of the warnings: those that stand, and the time at which their causes are looked at
/// again.
struct WarningDesk {
    /// The time after which the cause of a standing warning may have gone, in milliseconds.
    private static let oldMilliseconds: Int64 = 1_000

    private var board = WarningBoard()
    private var isDue = true
    private var followed: Int64 = 0

    /// The warnings whose causes were there at the last look.
    var standing: [StandingWarning] { board.standing }

    /// Expects that the causes of warnings have come or gone.
    mutating func expectChange() { isDue = true }

    /// Returns true when it is time to look, at an uptime in milliseconds: something happened, or
    /// something stands and a second has passed.
    func isDue(at now: Int64) -> Bool {
        isDue || (now - followed >= Self.oldMilliseconds && !standing.isEmpty)
    }

    /// Notes that the node looks now.
    mutating func look(at now: Int64) {
        isDue = false
        followed = now
    }

    /// Takes over the warnings that the replica knows; returns those that are new and those that
    /// have gone.
    mutating func update(with facts: [StandingWarning]) -> WarningBoard.Change {
        board.update(with: facts)
    }

    /// Counts a warning of the node's own.
    mutating func raise(_ warning: NodeWarning, at wallMilliseconds: Int64) {
        board.raise(warning, at: wallMilliseconds)
    }

    /// Notes that a state holds, or that it is over.
    mutating func hold(_ warning: NodeWarning, isSo: Bool, at wallMilliseconds: Int64) {
        board.hold(warning, isSo: isSo, at: wallMilliseconds)
    }

    /// Notes that a command told the warnings of the node's own.
    mutating func markTold() { board.markTold() }

    /// Takes back warnings of the node's own.
    mutating func end(where isOver: (NodeWarning) -> Bool) { board.end(where: isOver) }
}
