import LinnetCRDT
package import LinnetCompanion
import LinnetCrypto
import LinnetStorage
package import LinnetWire

// This part does what an application asks of the lanes, through the shell.
extension Replica {
    /// The state of the lanes; nil unless this device is a phone or a watch and belongs to a group.
    package var companion: Companion? { lanes?.machine }

    /// Gives the lanes an input; its consequences are committed before the effects come back.
    ///
    /// Throws the fault of the input, with nothing changed; `sessionNotSupported` on a device that
    /// is neither a phone nor a watch.
    package mutating func handle(
        _ input: CompanionInput, at now: Moment
    ) throws(CompanionError) -> [Effect] {
        if failure != nil { return [] }
        do {
            try openLanes()
            guard lanes != nil else { throw CompanionError.sessionNotSupported }
            try perform(input, at: now)
            return try settle(at: now)
        } catch let error as StorageError {
            return [.notify(.storeFailed(fail(error)))]
        } catch let error as LaneFault {
            switch error {
            case .input(let error): throw error
            case .storage(let error): return [.notify(.storeFailed(fail(error)))]
            }
        } catch let error as CompanionError {
            throw error
        } catch {
            throw .genericError
        }
    }

    /// Returns the part of a received file at an offset; nil at its end.
    package func laneFilePart(
        _ id: TransferID, offset: UInt64
    ) throws(ReplicaError) -> [UInt8]? {
        do throws(StorageError) {
            return try store.lane(LaneHost.key(id, offset: offset))
        } catch {
            throw .storage(error)
        }
    }
}

/// The reason why an input of the lanes failed.
enum LaneFault: Error {
    /// The input was wrong.
    case input(CompanionError)
    /// The input could not be kept.
    case storage(StorageError)
}

// This part is what the replica does for the lanes.
extension Replica {
    /// Opens the lanes from their journal, once it is known what this device is.
    mutating func openLanes() throws(StorageError) {
        guard lanes == nil, group != nil, let role = CompanionRole(kind: author.profile.kind) else {
            return
        }
        let rows = try store.lanes(family: LaneHost.journal).map { row in
            JournalRow(key: Array(row.key.dropFirst()), value: row.value)
        }
        let installation = Bytes8(entropy.bytes(8)) ?? .zero
        var switches = CompanionSwitches()
        switches.budget = role == .phone ? .watch : .phone
        do {
            lanes = LaneHost(
                try Companion(
                    role: role, installation: installation, switches: switches, journal: rows))
        } catch {
            throw .corrupt(where: "lanes")
        }
    }

    /// Tells the lanes which counterparts came and went, before the commit of a call.
    mutating func tendLanes(at now: Moment) throws(StorageError) {
        try openLanes()
        guard let host = lanes else { return }
        let present = try laneLinks()
        guard present != host.linked else { return }
        lanes?.linked = present
        for peer in host.linked.keys where present[peer] == nil {
            try tell(.environment(.link(peer, isUp: false)), at: now)
        }
        for (peer, link) in present where host.linked[peer] != link {
            try tell(.environment(.paired(peer)), at: now)
            // The frames that were on their way to one that was linked already are lost.
            try tell(.environment(.link(peer, isUp: true)), at: now)
            if let early = lanes?.early.removeValue(forKey: peer), early.link == link {
                try tell(.frame(from: peer, early.state), at: now)
            }
            // A phone switches to a watch that is connected when its own is not.
            if let active = lanes?.machine.activeCounterpart, present[active] == nil {
                try tell(.environment(.watchSwitched(to: peer)), at: now)
            }
        }
    }

    /// Returns for each counterpart the link that carries the lanes, which is that of its newest
    /// session.
    private mutating func laneLinks() throws(StorageError) -> OrderedTable<DeviceID, LinkID> {
        var links: OrderedTable<DeviceID, LinkID> = OrderedTable()
        for (session, state) in sessions.open {
            guard state.greeting.incarnation != nil, state.device != device,
                try isCounterpart(state.device)
            else { continue }
            links[state.device] = session.link
        }
        return links
    }

    /// More bytes than a state takes.
    private static let stateBytes = 64

    /// Reads a frame of the lanes, which only a phone and a watch send each other.
    mutating func receiveLane(
        _ type: MessageType, _ body: [UInt8], from peer: DeviceID, on link: LinkID, at now: Moment
    ) throws(SessionFault) {
        guard lanes?.linked[peer] == link else {
            // The state is sent once; everything else that comes too early is sent again.
            if type == .laneState, body.count <= Self.stateBytes {
                lanes?.early[peer] = (link, [type.rawValue] + body)
            }
            return
        }
        do throws(LaneFault) {
            try perform(.frame(from: peer, [type.rawValue] + body), at: now)
        } catch {
            switch error {
            case .storage(let error): throw .storage(error)
            case .input(.malformedFrame): throw .violation
            case .input: break
            }
        }
    }

    /// Lets the lanes do what has fallen due.
    mutating func meetLaneDeadline(at now: Moment) throws(StorageError) {
        guard let due = lanes?.machine.nextDeadlineUptimeMilliseconds,
            due <= now.uptimeMilliseconds
        else { return }
        try tell(.deadline, at: now)
    }

    /// Sends the frames and hands out the effects of the lanes, after the commit.
    mutating func speakLanes() {
        guard let host = lanes, !host.outgoing.isEmpty || !host.effects.isEmpty else { return }
        lanes?.outgoing = []
        lanes?.effects = []
        for (peer, frame) in host.outgoing {
            guard let first = frame.first, let type = MessageType(rawValue: first),
                let link = host.linked[peer], let session = sessions[link],
                case .open = session.state
            else { continue }
            // A frame that does not leave now is sent again.
            try? session.send(type, Array(frame.dropFirst()))
        }
        for effect in host.effects { turn.outbox.lane(effect) }
    }

    /// Forgets all that the lanes keep, since in a copy of a home their numbers would be given out
    /// again.
    mutating func forgetLanes() throws(StorageError) {
        for family in [LaneHost.journal, LaneHost.files] {
            for row in try store.lanes(family: family) {
                try turn.writing()
                try store.removeLane(row.key)
            }
        }
    }

    /// Gives the lanes an input that cannot be wrong.
    private mutating func tell(_ input: CompanionInput, at now: Moment) throws(StorageError) {
        do throws(LaneFault) {
            try perform(input, at: now)
        } catch {
            if case .storage(let error) = error { throw error }
        }
    }

    private mutating func perform(_ input: CompanionInput, at now: Moment) throws(LaneFault) {
        guard var host = lanes else { return }
        lanes = nil
        defer { lanes = host }
        let effects: [CompanionEffect]
        do throws(CompanionError) {
            effects = try host.machine.handle(input, at: now)
        } catch {
            throw .input(error)
        }
        do throws(StorageError) {
            for effect in effects { try keep(effect, &host) }
        } catch {
            throw .storage(error)
        }
    }

    private mutating func keep(
        _ effect: CompanionEffect, _ host: inout LaneHost
    ) throws(StorageError) {
        switch effect {
        case .put(let row):
            try turn.writing()
            try store.putLane(LaneRow(key: [LaneHost.journal] + row.key, value: row.value))
        case .remove(let key):
            try turn.writing()
            try store.removeLane([LaneHost.journal] + key)
        case .store(let id, let offset, let bytes):
            try turn.writing()
            try store.putLane(LaneRow(key: LaneHost.key(id, offset: offset), value: bytes))
        case .discard(let id):
            try removeFile(id)
            host.effects.append(effect)
        case .send(let peer, let frame): host.outgoing.append((peer, frame))
        case .accepted, .readFile, .tell, .wakeCounterpart, .wakeApp, .removeWatchDirectory,
            .endApp:
            host.effects.append(effect)
        }
    }

    private mutating func removeFile(_ id: TransferID) throws(StorageError) {
        var offset: UInt64 = 0
        while let part = try store.lane(LaneHost.key(id, offset: offset)) {
            try turn.writing()
            try store.removeLane(LaneHost.key(id, offset: offset))
            guard !part.isEmpty else { return }
            offset += UInt64(part.count)
        }
    }

    /// Returns true when a member calls itself a watch and this device is a phone, or the reverse.
    private mutating func isCounterpart(_ peer: DeviceID) throws(StorageError) -> Bool {
        if let known = lanes?.counterparts[peer] { return known }
        let key = RecordKey(collection: Self.devices, record: Self.recordID(of: peer))
        guard let row = try reader.existing(key),
            let field = schema.view(of: row)?.fields.first(where: {
                $0.field == LinnetCRDT.Schema.DeviceFields.kind
            }),
            case .text(let kind)? = field.values.first, let role = lanes?.machine.role
        else { return false }
        let isOther = CompanionRole(kind: kind).map { $0 != role } ?? false
        lanes?.counterparts[peer] = isOther
        return isOther
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
