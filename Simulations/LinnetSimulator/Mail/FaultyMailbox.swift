import LinnetReplication
import LinnetWire

/// The store behind the mailbox of a fleet, which does whatever such stores do. It gives no object
/// that was never put, but for changed ones, which have another hash than their name.
final class FaultyMailbox {
    private static let hour: Int64 = 3_600_000
    /// The requests in a thousand that meet a fault of a kind where it is worse.
    private static let worseRate = 80

    private struct Object {
        let bytes: [UInt8]
        /// The time from which on others are shown it.
        let shownFrom: Int64
        let putBy: Int
    }

    private let plan: MailPlan
    /// The requests in a thousand that meet a fault of a kind.
    private var rate: Int
    private var random: SeededRandom
    private var objects = OrderedTable<String, Object>()
    private var deleted = OrderedTable<String, Object>()
    private var earlier: OrderedTable<String, Object>?
    private var refusesUntil = Int64.min
    private var room = Int.max
    /// The times that something new was put.
    private(set) var changes = 0
    /// All that was asked.
    private(set) var traffic = CountedTraffic()
    /// True once all faults ended.
    private(set) var isHonest = false

    init(_ plan: MailPlan, random: SeededRandom) {
        (self.plan, rate, self.random) = (plan, plan.rate, random)
    }

    /// Ends all faults; what is lost stays lost.
    func heal() { (isHonest, refusesUntil, room) = (true, .min, .max) }

    /// The packs that are there.
    var packs: [MailName] { objects.keys.compactMap(MailName.init).filter { $0.kind == .pack } }

    /// Returns the device that put an object which is there.
    func owner(of name: MailName) -> Int? { objects[name.text]?.putBy }

    /// Answers a request; nil when the answer never comes, whatever was done.
    func answer(
        _ request: MailRequest, of device: Int, at now: Int64, _ coverage: inout Coverage
    ) -> MailAnswer? {
        if now >= plan.worseFrom { rate = max(plan.rate, Self.worseRate) }
        let isRefused = refuses(at: now, &coverage)
        forget(&coverage)
        let isUnanswered = meets(.mailUnanswered, &coverage)
        // Of what is not answered some was done all the same.
        let isDone = !isRefused && (!isUnanswered || random.chance(1, in: 2))
        let answer = isDone ? carryOut(request, of: device, at: now, &coverage) : nil
        traffic.count(request, answer)
        if isUnanswered { return nil }
        return answer ?? .failed("503 Service Unavailable")
    }

    private func carryOut(
        _ request: MailRequest, of device: Int, at now: Int64, _ coverage: inout Coverage
    ) -> MailAnswer {
        switch request {
        case .list(let kind): return .names(list(kind, for: device, at: now, &coverage))
        case .get(let name): return .bytes(get(name.text, for: device, at: now, &coverage))
        case .put(let object): return put(object, by: device, at: now, &coverage)
        case .delete(let name):
            if let object = objects.removeValue(forKey: name.text) { deleted[name.text] = object }
            return .done
        }
    }

    /// Returns how often a device is told that there is news, when there is some or none.
    func words(isNews: Bool, _ coverage: inout Coverage) -> Int {
        guard isNews else { return meets(.mailCried, &coverage) ? 1 : 0 }
        if meets(.mailUnsaid, &coverage) { return 0 }
        return meets(.mailSaidTwice, &coverage) ? 2 : 1
    }

    // MARK: Requests

    private func list(
        _ kind: MailKind, for device: Int, at now: Int64, _ coverage: inout Coverage
    ) -> [String] {
        if meets(.mailLost, &coverage), !objects.isEmpty {
            let lost = random.pick(objects.keys)
            deleted[lost] = objects.removeValue(forKey: lost)
        }
        spoil(&coverage)
        if meets(.mailReturned, &coverage), !deleted.isEmpty {
            let name = random.pick(deleted.keys)
            objects[name] = deleted[name]
        }
        var names = objects.filter { shows($0.value, to: device, at: now) }.map(\.key)
        if meets(.mailLate, &coverage) { names.removeAll { _ in random.chance(1, in: 3) } }
        if meets(.mailStrange, &coverage) {
            names += names.prefix(3)
            names += ["\(kind.letter)/README.md", "\(kind.letter)/", "", "x/\(names.count)"]
            names += names.prefix(1).map { "\($0).sync-conflict-20261126-101112" }
        }
        return names.filter { $0.hasPrefix(kind.letter) }
    }

    private func cut(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        if random.chance(1, in: 2) {
            bytes.removeLast(random.number(in: 1...bytes.count))
        } else {
            bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
        }
        return bytes
    }

    private func spoil(_ coverage: inout Coverage) {
        guard meets(.mailSpoiled, &coverage), !objects.isEmpty else { return }
        let name = random.pick(objects.keys)
        guard let object = objects[name], !object.bytes.isEmpty else { return }
        objects[name] = Object(
            bytes: cut(object.bytes), shownFrom: object.shownFrom, putBy: object.putBy)
    }

    private func get(
        _ name: String, for device: Int, at now: Int64, _ coverage: inout Coverage
    ) -> [UInt8]? {
        guard let object = objects[name], shows(object, to: device, at: now) else { return nil }
        guard meets(.mailCut, &coverage), !object.bytes.isEmpty else { return object.bytes }
        return cut(object.bytes)
    }

    private func put(
        _ object: MailObject, by device: Int, at now: Int64, _ coverage: inout Coverage
    ) -> MailAnswer {
        if meets(.mailFull, &coverage) { room = random.below(20_000) }
        guard object.bytes.count <= room else {
            // Somebody makes room after a while.
            if random.chance(1, in: 8) { room = .max }
            return .failed("507 Insufficient Storage")
        }
        if room < .max { room -= object.bytes.count }
        let delay = meets(.mailLate, &coverage) ? Int64(random.below(Int(6 * Self.hour))) : 0
        if objects[object.name.text]?.bytes != object.bytes { changes += 1 }
        objects[object.name.text] = Object(
            bytes: object.bytes, shownFrom: now + delay, putBy: device)
        return .done
    }

    private func shows(_ object: Object, to device: Int, at now: Int64) -> Bool {
        isHonest || object.putBy == device || object.shownFrom <= now
    }

    // MARK: Faults

    private func meets(_ kind: FaultKind, _ coverage: inout Coverage) -> Bool {
        guard !isHonest, plan.faults.contains(kind), random.chance(rate, in: 1_000) else {
            return false
        }
        coverage.happened(kind)
        return true
    }

    private func refuses(at now: Int64, _ coverage: inout Coverage) -> Bool {
        if now >= refusesUntil, meets(.mailRefused, &coverage) { refusesUntil = now + Self.hour }
        return now < refusesUntil
    }

    /// Goes back to an earlier state, as a store does that is restored from a backup.
    private func forget(_ coverage: inout Coverage) {
        guard meets(.mailForgotten, &coverage) else { return }
        if let earlier { objects = earlier }
        earlier = random.chance(1, in: 2) ? objects : nil
    }
}
