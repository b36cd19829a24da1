import LinnetCRDT
import LinnetChannel
import LinnetStorage
import LinnetWire

/// The links of a replica with their sessions, and what was said on those that ended.
struct Sessions {
    private var table: OrderedTable<LinkID, Session> = OrderedTable()
    /// What was said in sessions that ended, until it is kept.
    private var departed: [OpenState] = []

    /// Every session, by link.
    var all: [Session] { table.values }

    /// Those in which batches flow.
    var open: [(session: Session, state: OpenState)] {
        table.values.compactMap { session in
            guard case .open(let state) = session.state else { return nil }
            return (session, state)
        }
    }

    subscript(link: LinkID) -> Session? { table[link] }

    /// The session in which a device said what it holds.
    func informed(of device: DeviceID) -> OpenState? {
        open.first { $0.state.device == device && $0.state.heardHave }?.state
    }

    /// Whether a connected peer holds more of a chain.
    func list(_ key: ChainKey, beyond seq: UInt64) -> Bool {
        open.contains { $0.state.peer[key]?.seq ?? 0 > seq }
    }

    /// Whether a connected peer, which is not `device`, said that it holds all of some chains.
    func hold(_ rows: [ChainRow], butFor device: DeviceID) -> Bool {
        open.contains { _, state in
            state.device != device
                && rows.allSatisfy { state.peer[$0.key]?.seq ?? 0 >= $0.stored }
        }
    }

    /// The session at the other end of a link that leads back to this very replica.
    ///
    /// The key alone does not tell: a copy of the home has it, too. Both prefaces, which the
    /// handshake proved, hold random bytes of either end, so that no other link has the same.
    func otherEnd(of session: Session) -> Session? {
        all.first {
            $0.link != session.link && $0.isLive && $0.isInitiator != session.isInitiator
                && $0.prefaces == session.prefaces
        }
    }

    /// When one of them has to be looked at, in uptime milliseconds; nil for never.
    var nextDeadline: Int64? { all.compactMap(\.deadline).min() }

    /// Adds the session of a fresh link.
    mutating func add(_ session: Session) { table[session.link] = session }

    /// A session ends: what was said in it is kept later.
    mutating func end(_ session: Session) {
        if let talk = session.talk, talk.heardHave { departed.append(talk) }
    }

    /// Forgets links that are gone.
    mutating func remove(_ links: [LinkID]) {
        for link in links { table[link] = nil }
    }

    /// Hands out what was said in sessions that ended.
    mutating func takeDeparted() -> [OpenState] {
        defer { departed = [] }
        return departed
    }

    /// Hands out the bytes that leave on each link.
    func takeOutput() -> [(LinkID, [UInt8])] { all.map { ($0.link, $0.channel.takeOutput()) } }

    /// Asks every peer that lists a damaged batch for its good copy, but for the one that sends it.
    func ask(for damaged: [Damage], except sender: Session? = nil) {
        for damage in damaged {
            for (session, state) in open where session !== sender {
                guard let head = state.peer[damage.key], head.seq >= damage.seq else { continue }
                do throws(SessionFault) {
                    try session.ask(
                        Damage.repairs(of: damage.all, upTo: head.seq, key: damage.key))
                } catch {
                    // A channel that takes nothing more ends by itself; the others are asked.
                    continue
                }
            }
        }
    }
}

extension Session {
    /// When it has to be looked at, in uptime milliseconds; nil for never.
    fileprivate var deadline: Int64? {
        switch state {
        case .handshaking: channel.deadline
        case .authorising(let state): state.deadline
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
