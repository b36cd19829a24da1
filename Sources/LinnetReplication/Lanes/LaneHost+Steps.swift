import LinnetCRDT
import LinnetCompanion
import LinnetCrypto
import LinnetStorage
import LinnetWire

extension LaneHost {
    /// Opens the lanes of a phone or a watch from their journal.
    init(
        _ role: CompanionRole, _ entropy: inout Entropy, in store: any Store
    ) throws(StorageError) {
        let rows = try store.lanes(family: Self.journal).map { row in
            JournalRow(key: Array(row.key.dropFirst()), value: row.value)
        }
        let installation = Bytes8(entropy.bytes(8)) ?? .zero
        var switches = CompanionSwitches()
        switches.budget = role == .phone ? .watch : .phone
        do {
            self.init(
                try Companion(
                    role: role, installation: installation, switches: switches, journal: rows))
        } catch {
            throw .corrupt(where: "lanes")
        }
    }

    /// Takes the links that carry the lanes now, and tells the lanes which counterparts came and
    /// went.
    mutating func tend(
        _ present: OrderedTable<DeviceID, LinkID>, _ turn: inout Turn, at now: Moment
    ) throws(StorageError) {
        guard present != linked else { return }
        let before = linked
        linked = present
        for peer in before.keys where present[peer] == nil {
            try tell(.environment(.link(peer, isUp: false)), &turn, at: now)
        }
        for (peer, link) in present where before[peer] != link {
            try tell(.environment(.paired(peer)), &turn, at: now)
            // The frames that were on their way to one that was linked already are lost.
            try tell(.environment(.link(peer, isUp: true)), &turn, at: now)
            if let early = early.removeValue(forKey: peer), early.link == link {
                try tell(.frame(from: peer, early.state), &turn, at: now)
            }
            // A phone switches to a watch that is connected when its own is not.
            if let active = machine.activeCounterpart, present[active] == nil {
                try tell(.environment(.watchSwitched(to: peer)), &turn, at: now)
            }
        }
    }

    /// Returns for each counterpart among peers the link that carries the lanes, which is that of
    /// its newest session.
    mutating func links(
        of peers: [(session: Session, state: OpenState)], _ records: RecordReader
    ) throws(StorageError) -> OrderedTable<DeviceID, LinkID> {
        var links: OrderedTable<DeviceID, LinkID> = OrderedTable()
        for (session, state) in peers where try isCounterpart(state.device, records) {
            links[state.device] = session.link
        }
        return links
    }

    /// Returns true when a member calls itself a watch and this device is a phone, or the reverse.
    private mutating func isCounterpart(
        _ peer: DeviceID, _ records: RecordReader
    ) throws(StorageError) -> Bool {
        if let known = counterparts[peer] { return known }
        let key = RecordKey(collection: Replica.devices, record: Replica.recordID(of: peer))
        guard let row = try records.existing(key),
            let field = records.log.schema.view(of: row)?.fields.first(where: {
                $0.field == Schema.DeviceFields.kind
            }),
            case .text(let kind)? = field.values.first
        else { return false }
        let isOther = CompanionRole(kind: kind).map { $0 != machine.role } ?? false
        counterparts[peer] = isOther
        return isOther
    }

    /// More bytes than a state takes.
    private static let stateBytes = 64

    /// Reads a frame of the lanes, which only a phone and a watch send each other.
    mutating func receive(
        _ type: MessageType, _ body: [UInt8], from peer: DeviceID, on link: LinkID,
        _ turn: inout Turn,
        at now: Moment
    ) throws(SessionFault) {
        guard linked[peer] == link else {
            // The state is sent once; everything else that comes too early is sent again.
            if type == .laneState, body.count <= Self.stateBytes {
                early[peer] = (link, [type.rawValue] + body)
            }
            return
        }
        do throws(LaneFault) {
            try perform(.frame(from: peer, [type.rawValue] + body), &turn, at: now)
        } catch {
            switch error {
            case .storage(let error): throw .storage(error)
            case .input(.malformedFrame): throw .violation
            case .input: break
            }
        }
    }

    /// Lets the lanes do what has fallen due.
    mutating func meetDeadline(_ turn: inout Turn, at now: Moment) throws(StorageError) {
        guard let due = machine.nextDeadlineUptimeMilliseconds, due <= now.uptimeMilliseconds
        else { return }
        try tell(.deadline, &turn, at: now)
    }

    /// Sends the frames and hands out the effects, after the commit.
    mutating func speak(in sessions: Sessions, _ turn: inout Turn) {
        guard !outgoing.isEmpty || !effects.isEmpty else { return }
        let (frames, effects) = (outgoing, effects)
        outgoing = []
        self.effects = []
        for (peer, frame) in frames {
            guard let first = frame.first, let type = MessageType(rawValue: first),
                let link = linked[peer], let session = sessions[link],
                case .open = session.state
            else { continue }
            // A frame that does not leave now is sent again.
            try? session.send(type, Array(frame.dropFirst()))
        }
        for effect in effects { turn.outbox.lane(effect) }
    }

    /// Forgets all that the lanes of a home keep, since in a copy of it their numbers would be
    /// given out again.
    static func forget(_ turn: inout Turn) throws(StorageError) {
        for family in [journal, files] {
            for row in try turn.store.lanes(family: family) {
                try turn.writing()
                try turn.store.removeLane(row.key)
            }
        }
    }

    /// Gives the lanes an input that cannot be wrong.
    private mutating func tell(
        _ input: CompanionInput, _ turn: inout Turn, at now: Moment
    ) throws(StorageError) {
        do throws(LaneFault) {
            try perform(input, &turn, at: now)
        } catch {
            if case .storage(let error) = error { throw error }
        }
    }

    /// Gives the lanes an input, and keeps its consequences in the transaction of the call.
    mutating func perform(
        _ input: CompanionInput, _ turn: inout Turn, at now: Moment
    ) throws(LaneFault) {
        let effects: [CompanionEffect]
        do throws(CompanionError) {
            effects = try machine.handle(input, at: now)
        } catch {
            throw .input(error)
        }
        do throws(StorageError) {
            for effect in effects { try keep(effect, &turn) }
        } catch {
            throw .storage(error)
        }
    }

    private mutating func keep(
        _ effect: CompanionEffect, _ turn: inout Turn
    ) throws(StorageError) {
        switch effect {
        case .put(let row):
            try turn.writing()
            try turn.store.putLane(LaneRow(key: [Self.journal] + row.key, value: row.value))
        case .remove(let key):
            try turn.writing()
            try turn.store.removeLane([Self.journal] + key)
        case .store(let id, let offset, let bytes):
            try turn.writing()
            try turn.store.putLane(LaneRow(key: Self.key(id, offset: offset), value: bytes))
        case .discard(let id):
            try removeFile(id, &turn)
            effects.append(effect)
        case .send(let peer, let frame): outgoing.append((peer, frame))
        case .accepted, .readFile, .tell, .wakeCounterpart, .wakeApp, .removeWatchDirectory,
            .endApp:
            effects.append(effect)
        }
    }

    private func removeFile(_ id: TransferID, _ turn: inout Turn) throws(StorageError) {
        var offset: UInt64 = 0
        while let part = try turn.store.lane(Self.key(id, offset: offset)) {
            try turn.writing()
            try turn.store.removeLane(Self.key(id, offset: offset))
            guard !part.isEmpty else { return }
            offset += UInt64(part.count)
        }
    }
}

extension CompanionRole {
    /// Takes the end of the lanes that a kind of device has; nil for kinds without lanes.
    init?(kind: String) {
        switch kind {
        case "phone": self = .phone
        case "watch": self = .watch
        default: return nil
        }
    }
}
