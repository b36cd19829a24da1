import LinnetWire

/// The user infos and files for one counterpart, in the order in which they were queued.
struct OutgoingQueue: Equatable, Sendable {
    private(set) var transfers: [OutgoingTransfer] = []
    /// True when user infos may leave although the stuck-queue fault is on.
    var isUnstuck = true

    func index(of number: UInt64) -> Int? {
        var (low, high) = (0, transfers.count)
        while low < high {
            let middle = (low + high) / 2
            if transfers[middle].id.number < number { low = middle + 1 } else { high = middle }
        }
        return low < transfers.count && transfers[low].id.number == number ? low : nil
    }

    /// Adds a stored transfer while a machine opens; numbers come in ascending order.
    mutating func reopen(_ transfer: OutgoingTransfer) { transfers.append(transfer) }

    /// Adds a new transfer and stores it.
    mutating func add(_ transfer: OutgoingTransfer, for peer: DeviceID, _ turn: inout CompanionTurn)
    {
        if transfer.isCurrent { untag(for: peer, &turn) }
        transfers.append(transfer)
        turn.put(.payload(peer, transfer.id.number)) { transfer.writeContent(to: &$0) }
        turn.put(.outgoing(peer, transfer.id.number)) { transfer.write(to: &$0) }
    }

    /// The older transfer for the watch face goes on as an ordinary user info.
    private mutating func untag(for peer: DeviceID, _ turn: inout CompanionTurn) {
        for index in transfers.indices where transfers[index].isCurrent {
            change(index, for: peer, &turn) { $0.isCurrent = false }
        }
    }

    /// Changes a transfer and stores how far it is.
    mutating func change(
        _ index: Int, for peer: DeviceID, _ turn: inout CompanionTurn,
        _ body: (inout OutgoingTransfer) -> Void
    ) {
        body(&transfers[index])
        let transfer = transfers[index]
        turn.put(.outgoing(peer, transfer.id.number)) { transfer.write(to: &$0) }
    }

    /// Changes what is not stored.
    mutating func touch(_ index: Int, _ body: (inout OutgoingTransfer) -> Void) {
        body(&transfers[index])
    }

    mutating func remove(_ index: Int, for peer: DeviceID, _ turn: inout CompanionTurn) {
        let number = transfers.remove(at: index).id.number
        turn.remove(.outgoing(peer, number))
        turn.remove(.payload(peer, number))
    }

    /// Position of the transfer for the watch face, if it has not left yet or is due again.
    var current: Int? { transfers.firstIndex { $0.isCurrent && $0.isWaiting } }

    /// Position of the first transfer of a lane that has still to be sent.
    func head(of lane: Lane) -> Int? {
        transfers.firstIndex { $0.lane == lane && $0.isWaiting }
    }

    /// The most important of what waits in a lane: the first is sent for all of them.
    func importance(of lane: Lane) -> Importance? {
        transfers.filter { $0.lane == lane && $0.isWaiting }.map(\.importance).min()
    }

    func count(of lane: Lane) -> Int { transfers.count { $0.lane == lane && !$0.isFinished } }

    func storedCount(of lane: Lane) -> Int {
        transfers.count { $0.lane == lane && $0.stage == .stored }
    }

    /// The lowest number of a lane that may yet be sent again; `next` if there is none.
    func floor(of lane: Lane, next: UInt64) -> UInt64 {
        transfers.first { $0.lane == lane && !$0.isFinished }?.id.number ?? next
    }

    /// Everything of a lane of which a receipt is still awaited although all was sent.
    func awaiting(_ lane: Lane) -> [UInt64] {
        transfers.filter {
            $0.lane == lane
                && ($0.stage == .stored
                    || $0.stage == .delivered && $0.flags.contains(.wantsProcessed))
        }.map(\.id.number)
    }

    /// Outstanding transfers of a lane as the app sees them.
    func outstanding(_ lane: Lane) -> [CompanionTransfer] {
        transfers.filter { $0.lane == lane && !$0.isFinished }.map(\.view)
    }

    /// Nothing is in flight any more.
    mutating func linkEnded() {
        for index in transfers.indices { transfers[index].pacer = Pacer() }
        isUnstuck = false
    }

    /// The counterpart was installed anew and has none of what it had.
    mutating func counterpartForgot(for peer: DeviceID, _ turn: inout CompanionTurn) {
        for index in transfers.indices {
            let isLost =
                switch transfers[index].stage {
                case .stored: true
                case .waiting(let has): has > 0
                case .delivered: transfers[index].flags.contains(.wantsProcessed)
                case .processed, .failed: false
                }
            if isLost { change(index, for: peer, &turn) { $0.stage = .waiting(has: 0) } }
        }
    }

    /// Every transfer that has not finished fails.
    mutating func fail(with error: CompanionError, for peer: DeviceID, _ turn: inout CompanionTurn)
    {
        let code = UInt64(error.platformCode ?? 7001)
        for index in transfers.indices where !transfers[index].isFinished {
            change(index, for: peer, &turn) { $0.stage = .failed(code: code) }
        }
    }

    /// The next time something unanswered is sent again.
    func deadline(firstPauseMilliseconds pause: Int64) -> Int64? {
        // What waits behind another transfer has no time of its own.
        [head(of: .userInfo), head(of: .file), current].compactMap { $0 }.map { transfers[$0] }
            .filter { !$0.isReading }
            .compactMap { $0.pacer.deadline(firstPauseMilliseconds: pause) }.min()
    }
}
