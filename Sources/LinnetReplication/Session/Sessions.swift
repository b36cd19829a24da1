import LinnetCRDT
import LinnetChannel
import LinnetStorage
import LinnetWire

/// The links of a replica with their sessions, and the states of those that ended.
struct Sessions {
    private var table: OrderedTable<LinkID, Session> = OrderedTable()
    /// The states of sessions that ended, until what the peers said is kept.
    private var departed: [OpenState] = []
    /// The peers that sent more than may wait, as long as anything waits.
    var flooders: OrderedSet<DeviceID> = OrderedSet()
    /// The memory of the peers that the store keeps.
    var peers = PeerBook()
    /// The amounts that others brought, whose batches and records may have to wait.
    var arrivals = ArrivalBook()

    /// The sessions by link.
    var all: [Session] { table.values }

    /// The sessions in which batches flow.
    var open: [(session: Session, state: OpenState)] {
        table.values.compactMap { session in
            guard case .open(let state) = session.state else { return nil }
            return (session, state)
        }
    }

    subscript(link: LinkID) -> Session? { table[link] }

    /// Returns the state of the session in which a device said what it holds; nil if there is none.
    func informed(of device: DeviceID) -> OpenState? {
        open.first { $0.state.device == device && $0.state.heardHave }?.state
    }

    /// Returns true when a connected peer holds more of a chain.
    func list(_ key: ChainKey, beyond seq: UInt64) -> Bool {
        open.contains { $0.state.peer[key]?.seq ?? 0 > seq }
    }

    /// Returns true when a connected peer other than `device` said that it holds all of some
    /// chains.
    func hold(_ rows: [ChainRow], butFor device: DeviceID) -> Bool {
        open.contains { _, state in
            state.device != device
                && rows.allSatisfy { state.peer[$0.key]?.seq ?? 0 >= $0.stored }
        }
    }

    /// Returns true when a connected peer other than `device` said that it holds all that `chains`
    /// have of a scope.
    func hold(_ scope: ScopeID, of chains: ChainIndex, butFor device: DeviceID) -> Bool {
        let held = chains.rows.filter { $0.key.scope == scope && ChainIndex.holdsAny($0.value) }
        return held.isEmpty || hold(held.map(\.value), butFor: device)
    }

    /// Returns the session at the other end of a link that leads back to this very replica; nil if
    /// there is none.
    ///
    /// The key alone does not tell, since a copy of the home has it too. Both prefaces, which the
    /// handshake proved, hold random bytes of either end, so that no other link has the same.
    func otherEnd(of session: Session) -> Session? {
        all.first {
            $0.link != session.link && $0.isLive && $0.isInitiator != session.isInitiator
                && $0.prefaces == session.prefaces
        }
    }

    /// The time at which one of them has to be looked at, in uptime milliseconds; nil for never.
    var nextDeadline: Int64? {
        var next: Int64?
        for session in all {
            guard let deadline = session.deadline else { continue }
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    /// Adds the session of a fresh link.
    mutating func add(_ session: Session) { table[session.link] = session }

    /// Ends a session; what the peer said in it is kept later.
    mutating func end(_ session: Session) {
        if let talk = session.talk, talk.heardHave { departed.append(talk) }
    }

    /// Forgets links that are gone.
    mutating func remove(_ links: [LinkID]) {
        for link in links { table[link] = nil }
    }

    /// Keeps what the peers said in sessions that ended since; returns true when there were any.
    mutating func rememberDeparted(_ turn: inout Turn) throws(StorageError) -> Bool {
        let talks = takeDeparted()
        for talk in talks { try remember(talk, &turn) }
        return !talks.isEmpty
    }

    /// Takes out the states of sessions that ended.
    mutating func takeDeparted() -> [OpenState] {
        defer { departed = [] }
        return departed
    }

    /// Keeps what a peer said, in place of what was kept before.
    mutating func remember(_ talk: OpenState, _ turn: inout Turn) throws(StorageError) {
        let before = try peers.knowledge(of: talk.device, in: turn.store)
        let knowledge = PeerKnowledge(talk, before: before)
        if knowledge != before { try peers.note(knowledge, of: talk.device, in: turn.store) }
        guard peers.isChanged else { return }
        try turn.writingCasually()
        try peers.save(in: turn.store)
    }

    /// Takes out the bytes that leave on each link that has any.
    func takeOutput() -> [(LinkID, [UInt8])] {
        var output: [(LinkID, [UInt8])] = []
        for session in all {
            let bytes = session.channel.takeOutput()
            if !bytes.isEmpty { output.append((session.link, bytes)) }
        }
        return output
    }

    /// Asks every peer that lists a damaged batch for a good copy, except the one that sends it.
    func ask(for damaged: [Damage], except sender: Session? = nil) {
        for damage in damaged {
            for (session, state) in open where session !== sender {
                guard let head = state.peer[damage.key], head.seq >= damage.seq else { continue }
                do throws(SessionFault) {
                    try session.ask(
                        Damage.repairs(of: damage.all, upTo: head.seq, key: damage.key))
                } catch {
                    // A channel that takes nothing more ends by itself, and the other peers are
                    // asked.
                    continue
                }
            }
        }
    }
}

extension Session {
    /// The time at which it has to be looked at, in uptime milliseconds; nil for never.
    fileprivate var deadline: Int64? {
        switch state {
        case .handshaking: channel.deadline
        case .authorising(let state): late.deadline ?? state.deadline
        case .pairing(let state): state.deadline
        case .open(let state):
            min(
                max(lastHeard, state.lastPing) + Limits.pingMilliseconds,
                lastHeard + Limits.idleCloseMilliseconds,
                state.openedAt + Limits.sessionLifetimeMilliseconds)
        case .ended: nil
        }
    }
}
