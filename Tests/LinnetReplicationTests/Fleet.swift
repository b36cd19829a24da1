import Foundation
import LinnetCRDT
import LinnetChannel
import LinnetCompanion
import LinnetCrypto
import LinnetMedication
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// One replica over a real store in a temporary directory, with everything it told the world.
final class Device {
    let name: String
    let directory: URL
    var replica: Replica?
    var events: [Event] = []
    var lanes: [CompanionEffect] = []
    /// The wishes for mailboxes that no store has answered.
    var mails: [MailEffect] = []
    var mark: WitnessMark?
    /// Bytes on their way out, in order.
    var outgoing: [(LinkID, [UInt8])] = []
    var closing: [LinkID] = []
    let seed: UInt8

    init(_ name: String, seed: UInt8) throws {
        self.name = name
        self.seed = seed
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("linnet-replication-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        replica = nil
        try? FileManager.default.removeItem(at: directory)
    }

    var path: String { directory.appendingPathComponent("store.sqlite").path }

    static func entropy(_ seed: UInt8) -> Entropy {
        Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    /// Opens the home; the same key seed gives the same device.
    func open(
        at now: Moment, keySeed: UInt8? = nil, entropySeed: UInt8? = nil,
        witness: WitnessState = .missing, schema: Schema = .demonstration
    ) throws {
        var keyEntropy = Self.entropy(keySeed ?? seed)
        let keys = DeviceKeys(createdMilliseconds: 1, entropy: &keyEntropy)
        var entropy = Self.entropy(entropySeed ?? seed &+ 100)
        let store = try SQLiteStore(
            path: path, databaseKey: keys.databaseKey, noncePrefix: entropy.bytes(16))
        replica = try Replica.open(
            store: store, keys: keys, schema: schema, entropy: entropy, witness: witness, at: now)
        replica?.setProfile(name: name, kind: "other")
        while replica?.isShowingDue == true, replica?.hasFailed == false {
            perform(replica?.goOnShowing(at: now) ?? [])
        }
    }

    func close() throws {
        guard let replica = replica.take() else { return }
        try replica.close()
    }

    /// Drops the replica as a crash would: nothing is said goodbye to.
    func crash() {
        replica = nil
        outgoing = []
    }

    func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .send(let link, let bytes): outgoing.append((link, bytes))
            case .close(let link): closing.append(link)
            case .notify(let event): events.append(event)
            case .witness(let mark): self.mark = mark
            case .lane(let effect): lanes.append(effect)
            case .mail(let effect): mails.append(effect)
            }
        }
    }
}

/// Devices, the links between them, and one clock; bytes arrive in the order they were sent.
final class Fleet {
    var now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
    /// What the application of every device declares.
    var schema = Schema.demonstration
    /// By how much the wall clocks of some devices, by their names, are ahead, in milliseconds.
    var ahead: [String: Int64] = [:]
    private var nextLink: UInt64 = 1
    private var ends: [LinkID: (from: Device, to: Device, peer: LinkID)] = [:]
    /// Sees every piece of bytes before it arrives; returns what arrives, nil for nothing.
    var tamper: ((Device, [UInt8]) -> [UInt8]?)?
    /// How many bytes arrive at once, at most.
    var pieceBytes = Int.max
    /// Is called after each of them.
    var arrived: (() -> Void)?
    /// Every byte that crossed a link.
    var wire: [UInt8] = []
    var deliveredBytes = 0

    func device(_ name: String, seed: UInt8) throws -> Device {
        let device = try Device(name, seed: seed)
        try device.open(at: now, schema: schema)
        return device
    }

    func advance(_ milliseconds: Int64) {
        now.wallMilliseconds += milliseconds
        now.uptimeMilliseconds += milliseconds
    }

    /// The time as a device has it.
    private func moment(of device: Device) -> Moment {
        var moment = now
        moment.wallMilliseconds += ahead[device.name] ?? 0
        return moment
    }

    @discardableResult
    func connect(
        _ initiator: Device, _ responder: Device, _ origin: LinkOrigin = .dialled
    ) -> (LinkID, LinkID) {
        let left = LinkID(rawValue: nextLink)
        let right = LinkID(rawValue: nextLink + 1)
        nextLink += 2
        ends[left] = (initiator, responder, right)
        ends[right] = (responder, initiator, left)
        responder.perform(
            responder.replica?.handle(.linkOpened(right, .accepted), at: moment(of: responder))
                ?? [])
        initiator.perform(
            initiator.replica?.handle(.linkOpened(left, origin), at: moment(of: initiator)) ?? [])
        run()
        return (left, right)
    }

    func disconnect(_ link: LinkID) {
        guard let end = ends.removeValue(forKey: link) else { return }
        ends[end.peer] = nil
        end.from.perform(end.from.replica?.handle(.linkClosed(link), at: now) ?? [])
        end.to.perform(end.to.replica?.handle(.linkClosed(end.peer), at: now) ?? [])
        run()
    }

    func disconnectAll() {
        for link in ends.keys.sorted() { disconnect(link) }
    }

    /// Delivers until nothing is on its way.
    func run() {
        var devices: [Device] = []
        for end in ends.values where !devices.contains(where: { $0 === end.from }) {
            devices.append(end.from)
        }
        devices.sort { $0.name < $1.name }
        var moved = true
        while moved {
            moved = false
            for device in devices {
                while !device.outgoing.isEmpty {
                    let (link, bytes) = device.outgoing.removeFirst()
                    moved = true
                    deliver(bytes, on: link, from: device)
                }
                while !device.closing.isEmpty {
                    moved = true
                    closed(device.closing.removeFirst())
                }
                if device.replica?.isShowingDue == true {
                    moved = true
                    device.perform(device.replica?.handle(.deadlineReached, at: now) ?? [])
                }
            }
        }
    }

    private func deliver(_ bytes: [UInt8], on link: LinkID, from device: Device) {
        guard let end = ends[link], end.from === device else { return }
        var arriving = bytes
        if let tamper {
            guard let changed = tamper(device, bytes) else { return }
            arriving = changed
        }
        wire += arriving
        deliveredBytes += arriving.count
        while !arriving.isEmpty {
            let piece = Array(arriving.prefix(pieceBytes))
            arriving.removeFirst(piece.count)
            end.to.perform(
                end.to.replica?.handle(.received(end.peer, piece), at: moment(of: end.to)) ?? [])
            arrived?()
        }
    }

    private func closed(_ link: LinkID) {
        guard let end = ends.removeValue(forKey: link) else { return }
        ends[end.peer] = nil
        end.to.perform(end.to.replica?.handle(.linkClosed(end.peer), at: now) ?? [])
    }

    /// Lets due deadlines pass on these devices.
    func meetDeadlines(_ devices: [Device]) {
        for device in devices {
            device.perform(device.replica?.handle(.deadlineReached, at: now) ?? [])
        }
        run()
    }
}
