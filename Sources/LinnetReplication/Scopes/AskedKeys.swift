import LinnetWire

/// The keys that were asked of a peer in a session.
struct AskedKeys {
    private var names = OrderedSet<WantedKey>()
    /// The number of questions without an answer.
    private var unanswered = 0

    /// True while the peer owes an answer: what it hands over may show more.
    var isAnswerDue: Bool { unanswered > 0 }

    func contains(_ name: WantedKey) -> Bool { names.contains(name) }

    /// Notes a question.
    mutating func ask(_ wanted: [WantedKey]) {
        for name in wanted { names.insert(name) }
        unanswered += 1
    }

    /// Notes an answer with the keys of these names; returns false when one was never asked for.
    mutating func answer(_ given: [WantedKey]) -> Bool {
        guard given.allSatisfy(names.contains) else { return false }
        unanswered = max(0, unanswered - 1)
        return true
    }
}
