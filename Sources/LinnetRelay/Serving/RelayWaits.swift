/// The requests that wait for news, in the order in which they came.
struct RelayWaits {
    private struct Wait {
        let ticket: UInt64
        let access: RelayAccess
    }

    private let most: Int
    private let mostOfOne: Int
    private var waits: [Wait] = []

    init(most: Int = RelayLimits.waitsOfAll, ofOne: Int = RelayLimits.waitsOfOne) {
        (self.most, mostOfOne) = (most, ofOne)
    }

    /// The outcome of one more wait.
    enum Adding: Equatable {
        case waits
        /// It waits, and the oldest of its account, whose client may be long gone, does no more.
        case inPlaceOf(UInt64)
        case tooMany
    }

    /// Adds a wait.
    mutating func add(_ ticket: UInt64, of access: RelayAccess) -> Adding {
        let own = waits.filter { $0.access.id == access.id }
        let oldest = own.count >= mostOfOne ? own.first?.ticket : nil
        guard oldest != nil || waits.count < most else { return .tooMany }
        if let oldest { remove(oldest) }
        waits.append(Wait(ticket: ticket, access: access))
        return oldest.map { .inPlaceOf($0) } ?? .waits
    }

    /// Forgets a wait that was answered or is gone.
    mutating func remove(_ ticket: UInt64) { waits.removeAll { $0.ticket == ticket } }

    /// Returns the waits for news of a place, but for those of the account that put something.
    func tickets(in place: Int64, but account: Int64) -> [UInt64] {
        waits.filter { $0.access.place == place && $0.access.id != account }.map(\.ticket)
    }
}
