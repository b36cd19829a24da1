import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Acts on an event of the replica, and tells the observers.
    func note(_ event: Event) {
        switch event {
        case .sessionOpened(let link, let device, _):
            sessionOpened(link, with: device)
        case .sessionClosed(let link, let device, let reason):
            sessionClosed(link, device: device, reason: reason)
        case .batchApplied(_, let author, let seq, let operations, let local):
            observers.send(
                .batchApplied(
                    author: named(author), sequence: seq, operations: operations, isLocal: local))
        case .recordsChanged(let keys):
            recordsChanged(keys)
        case .peerInStep(let device):
            observers.send(.inStep(named(device)))
            publishDueSchema()
            followRole()
        case .pairingRequest(let link, let name, let kind, let fingerprint):
            authenticated(link)
            askAbout(Newcomer(name: name, kind: kind, fingerprint: fingerprint), on: link)
        case .schemaShown(let link, let text):
            schemaShown(text, on: link)
        case .pairingFailed(let link, let failure, let left):
            pairingFailed(link, failure, triesLeft: left)
        case .paired(let link, let device, let name):
            authenticated(link)
            paired(link, Device(id: device.description, name: name), device)
        case .memberAdded(let device):
            warnings.expectChange()
            refreshDiscoveryKeys()
            observers.send(.memberAdded(named(device)))
        case .memberRemoved(let device, let author):
            warnings.expectChange()
            refreshDiscoveryKeys()
            observers.send(.memberRemoved(named(device), by: author.map(named)))
        case .wipeAsked(let author):
            wipeAsked(by: author)
        case .differenceEnded(let device):
            let device = named(device)
            endWarnings { $0.kind == .showsOtherwise && $0.device?.id == device.id }
        case .fileGrew(let file, let done, _):
            fetching.grew(file, to: done, at: SystemClock.now())
        case .fileEnded(let file, let fault):
            fetching.ended(file, fault)
        case .warning(let warning):
            // A warning that the replica can tell again is looked up once the call is over.
            if !warning.isFact, let told = told(warning) { tell(told) }
            warnings.expectChange()
        case .storeFailed(let error):
            stumble(error)
        }
    }

    /// The most records that one event names.
    private static let placesAtOnce = 4_096

    /// Tells the observers which records changed, some thousands in an event.
    private func recordsChanged(_ keys: ChangedKeys) {
        observers.noteChange()
        var places: [RecordPlace] = []
        var (isSchemaChanged, isSettingChanged) = (false, false)
        for key in keys {
            if key.collection == Schema.devices.id { isSettingChanged = true }
            if key.collection == Schema.published.id { isSchemaChanged = true }
            if let place = place(of: key) { places.append(place) }
            guard places.count == Self.placesAtOnce else { continue }
            observers.send(.recordsChanged(places))
            places = []
        }
        if !places.isEmpty { observers.send(.recordsChanged(places)) }
        if isSchemaChanged { followSchema() }
        if isSettingChanged { followSettings() }
    }

    private func place(of key: RecordKey) -> RecordPlace? {
        if key.collection == Schema.published.id { return nil }
        return schema.collection(id: key.collection).map {
            RecordPlace(collection: $0.name, id: key.record.description)
        }
    }

    private func sessionOpened(_ link: LinkID, with peer: DeviceID) {
        authenticated(link)
        warnings.expectChange()
        let isNew = connections.links.proved(peer, on: link, at: SystemClock.now())
        if case .dialled(let attempt, let address)? = connections.links[link]?.origin {
            let target = connections.dialling.plan.target(of: attempt)
            if case .instance(let name)? = target { connections.discovery?.dialSucceeded(name) }
            succeeded(attempt, with: peer)
            remember(address, of: peer)
        }
        connections.dialling.change { $0.deviceConnected(peer) }
        refreshDiscoveryKeys()
        if isNew { observers.send(.peerConnected(named(peer))) }
    }

    private func sessionClosed(_ link: LinkID, device: DeviceID?, reason: SessionEnd) {
        if device != nil || reason == .itself { authenticated(link) }
        if reason == .itself { reachedItself(link) }
        refused(link, by: device, reason)
        warnings.expectChange()
        forget(link, device: device)
        pairingLinkClosed(link)
        // Of two sessions that began together one ends, perhaps before the other is open.
        if reason == .duplicate, connections.links.all.contains(where: { $0.device == nil }) {
            return
        }
        for gone in connections.links.takeGone() {
            connections.dialling.deviceDisconnected(gone, at: SystemClock.now())
            connections.companion?.disconnected(gone, at: SystemClock.now())
            observers.send(.peerLost(named(gone), reason: reason.sentence))
        }
    }

    func name(of key: RecordKey) -> String {
        schema.collection(id: key.collection)?.name ?? "\(key.collection)"
    }

    /// Returns a device with the name that its own record gives it, or none where that cannot be
    /// read: its identifier says who it is.
    func named(_ device: DeviceID) -> Device {
        let nameless = Device(id: device.description, name: "")
        do throws(ReplicaError) {
            return try replica?.named(device) ?? nameless
        } catch {
            return nameless
        }
    }
}

extension Replica {
    /// Returns a device with the name that its own record gives it.
    func named(_ device: DeviceID) throws(ReplicaError) -> Device {
        let collection = Schema.devices
        var name = ""
        if let id = RecordID(device.description),
            let view = try reader.record(collection.id, id),
            case .text(let text)? = view.fields.first(where: {
                $0.field == Schema.DeviceFields.name
            })?.values.first
        {
            name = text
        }
        if reading.isRecoveryKey(device) { name = "the recovery words" }
        return Device(id: device.description, name: name)
    }
}

extension SessionEnd {
    /// The reason why a session ended, for people.
    var sentence: String {
        switch self {
        case .normal: "it said goodbye"
        case .duplicate: "another connection with it stays"
        case .removed: "this device was removed from the group"
        case .protocolViolation: "the protocol was broken"
        case .truncated: "the connection ended"
        case .timeout: "it was silent for too long"
        case .shutdown: "one side shut down"
        case .denied: "the other side said no"
        case .formerMember: "it was removed from the group"
        case .unknownPeer: "it is no member of this group"
        case .pskMismatch: "it holds no key of this group"
        case .itself: "it is this device itself"
        case .handshakeFailed: "the handshake failed"
        case .other(let code): "it closed with code \(code)"
        }
    }
}
