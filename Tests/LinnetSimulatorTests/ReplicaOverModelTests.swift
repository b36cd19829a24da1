import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetMedication
import LinnetMembership
import LinnetReplication
import LinnetSimulator
import LinnetStorage
import LinnetWire
import Testing

struct ReplicaOverModelTests {
    @Test func `replicas say and hold the same over the model and over the database`() throws {
        let model = try Meeting(over: [ModelStore(), ModelStore()])
        let homes = try (0..<2).map { _ in try Home() }
        let real = try Meeting(over: try homes.map { try $0.open() })
        for meeting in [model, real] {
            try meeting.pair()
            try meeting.write()
            try meeting.meet()
        }
        #expect(try model.digests() == real.digests())
        #expect(try Set(model.digests()).count == 1)
        #expect(model.effects.count > 20)
        #expect(model.effects == real.effects)
    }
}

/// A folder with one database.
private final class Home {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "linnet-simulator-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open() throws -> SQLiteStore {
        try SQLiteStore(
            path: folder.appending(path: "store.sqlite").path,
            databaseKey: SecretBytes(zeroed: 32), noncePrefix: Array(repeating: 0, count: 16))
    }
}

/// Two replicas joined by links, and every effect of theirs.
private final class Meeting {
    private(set) var effects: [Effect] = []
    private let seats: [Seat]
    private var waiting: [(to: Int, Input)] = []
    private var links: UInt64 = 0
    private var now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)

    private final class Seat {
        var replica: Replica?
    }

    init(over stores: [any Store]) throws {
        seats = stores.map { _ in Seat() }
        for (number, store) in stores.enumerated() {
            let byte = UInt8(number + 1)
            var keyEntropy = Entropy(seed: SecretBytes(copying: Array(repeating: byte, count: 32)))
            let keys = DeviceKeys(createdMilliseconds: 1, entropy: &keyEntropy)
            let entropy = Entropy(seed: SecretBytes(copying: Array(repeating: byte + 9, count: 32)))
            seats[number].replica = try Replica.open(
                store: store, keys: keys, schema: .demonstration, entropy: entropy,
                witness: .missing, at: now)
            seats[number].replica?.setProfile(name: "device \(number)", kind: "other")
        }
    }

    func digests() throws -> [Bytes32] { try seats.compactMap { try $0.replica?.reader.digest() } }

    /// The first founds a group and takes in the second.
    func pair() throws {
        perform(
            try seats[0].replica?.createGroup(name: "first", kind: "phone", at: now) ?? [], of: 0)
        let offer = try seats[0].replica?.offerPairing(addresses: [], at: now)
        connect(.dialledToPair(.ticket(try #require(offer).ticket)))
        let request = try #require(
            effects.lazy.compactMap { effect -> LinkID? in
                if case .notify(.pairingRequest(let link, _, _, _)) = effect { link } else { nil }
            }.first)
        waiting.append((0, .pairingDecision(request, accept: true, role: .admin)))
        run()
    }

    /// Both write apart, in every way that the store can tell.
    func write() throws {
        for number in 0..<40 {
            now.wallMilliseconds += 1_000
            let side = number % 2
            let id = try #require(RecordID("record \(number % 7)"))
            let write: Write =
                number % 9 == 8
                ? .delete(collection: 1_000, record: id)
                : .set(
                    collection: 1_000, record: id,
                    fields: [FieldWrite(1, .text("number \(number)"))])
            let done = try seats[side].replica?.commit(
                [write], intent: [UInt8(number)], durability: number % 3 == 0 ? .relaxed : .full,
                at: now)
            perform(done?.1 ?? [], of: side)
        }
        let many = try (0..<400).map { number in
            Write.set(
                collection: 1_000, record: try #require(RecordID("\(number)")),
                fields: [FieldWrite(1, .text(String(repeating: "long ", count: 100)))])
        }
        let done = try #require(try seats[1].replica?.commit(many, at: now))
        #expect(done.0.batches > 1)
        perform(done.1, of: 1)
        for side in seats.indices {
            perform(try seats[side].replica?.flush(at: now) ?? [], of: side)
        }
    }

    /// Both exchange what they wrote.
    func meet() throws { connect(.dialled) }

    private func connect(_ origin: LinkOrigin) {
        links += 2
        waiting.append((0, .linkOpened(LinkID(rawValue: links), .accepted)))
        waiting.append((1, .linkOpened(LinkID(rawValue: links + 1), origin)))
        run()
    }

    private func run() {
        while !waiting.isEmpty {
            let (side, input) = waiting.removeFirst()
            perform(seats[side].replica?.handle(input, at: now) ?? [], of: side)
        }
    }

    /// Even links end at the first replica, the odd ones after them at the second.
    private func perform(_ effects: [Effect], of side: Int) {
        self.effects += effects
        for effect in effects {
            switch effect {
            case .send(let link, let bytes):
                waiting.append((1 - side, .received(LinkID(rawValue: link.rawValue ^ 1), bytes)))
            case .close(let link):
                waiting.append((1 - side, .linkClosed(LinkID(rawValue: link.rawValue ^ 1))))
            case .notify, .witness, .lane, .mail: break
            }
        }
    }
}
