import LinnetMembership
import LinnetWire
import MembershipReference

/// Records of a few devices that see each other's late, in part or never, thieves among them.
struct RandomHistory {
    private(set) var story: RuleStory
    private(set) var entries: [RuleReference.Entry] = []
    private var ancestors: [MemberRecordID: Set<MemberRecordID>] = [:]
    private var state: UInt64
    /// The last records of each device that lives honestly.
    private var last: [DeviceID: MemberRecord] = [:]
    private let devices: [TestDevice]

    /// Keys take long to make; these serve for all histories.
    static let everybody = (0..<8).map { TestDevice(UInt64(500 + $0)) }

    init(seed: UInt64, steps: Int) throws {
        state = seed
        devices = Self.everybody
        story = try RuleStory(devices[0])
        note(story.genesis, .founds(devices[0].device, story.recovery.device))
        for device in devices[1..<4] {
            let add = try story.add(device, by: devices[0])
            note(add, .admits(device.device, .admin))
        }
        if draw(2) == 0 { try acceptAll() }
        for _ in 0..<steps { try step() }
    }

    private mutating func draw(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    private mutating func note(_ record: MemberRecord, _ says: RuleReference.Says) {
        guard ancestors[record.id] == nil else { return }
        entries.append(
            RuleReference.Entry(
                id: record.id, lamport: record.lamport, author: record.author,
                parents: record.parents, says: says))
        ancestors[record.id] = record.parents.reduce(into: Set(record.parents)) {
            $0.formUnion(ancestors[$1] ?? [])
        }
        last[record.author] = record
    }

    private mutating func acceptAll() throws {
        let adds = Array(story.records.dropFirst())
        for device in devices[1..<4] {
            for add in adds {
                let vote = try story.vote(device, true, add)
                note(vote, .opines(true, add.id))
            }
        }
    }

    /// Some records to follow, none before another: the latest of one's own with others, or old
    /// ones.
    private mutating func parents(of author: TestDevice) -> [MemberRecord]? {
        if draw(5) == 0 { return knows(author, story.heads) ? story.heads : nil }
        var chosen: [MemberRecord] = []
        if draw(6) > 0, let own = last[author.device] { chosen.append(own) }
        for _ in 0...draw(2) { chosen.append(story.records[draw(story.records.count)]) }
        var distinct: [MemberRecord] = []
        for record in chosen where !distinct.contains(record) { distinct.append(record) }
        let free = distinct.filter { one in
            !distinct.contains { ancestors[$0.id]?.contains(one.id) ?? false }
        }
        return knows(author, free) ? free : nil
    }

    private func knows(_ author: TestDevice, _ parents: [MemberRecord]) -> Bool {
        if author.device == story.recovery.device { return true }
        let seen = parents.reduce(into: Set(parents.map(\.id))) {
            $0.formUnion(ancestors[$1.id] ?? [])
        }
        return entries.contains { entry in
            guard seen.contains(entry.id) else { return false }
            switch entry.says {
            case .founds(author.device, _), .admits(author.device, _): return true
            default: return false
            }
        }
    }

    private mutating func step() throws {
        let author = draw(25) == 0 ? story.recovery : devices[draw(draw(2) == 0 ? 4 : 8)]
        guard let parents = parents(of: author), parents.count <= 8 else { return }
        let other = devices[draw(draw(2) == 0 ? 4 : 8)]
        let role = Role.allCases[draw(4)]
        let record: MemberRecord
        let says: RuleReference.Says
        switch draw(14) {
        case 0, 1:
            record = try story.add(
                other, by: author, role: draw(2) == 0 ? .admin : role, on: parents)
            says = try admits(record, other)
        case 2, 3, 4, 5:
            let with = author.device == other.device ? [] : companions(of: other)
            record = try story.remove(other, by: author, with: with, on: parents)
            says = .removes(other.device, with: with.map(\.device))
        case 6:
            let scopes: ScopeGrant =
                role == .admin || role == .relay || draw(2) == 0
                ? .all : .some([Bytes16(repeating: UInt8(draw(3)))])
            record = try story.role(other, role, by: author, scopes: scopes, on: parents)
            says = .ranks(other.device, role, scopes)
        case 7:
            record = try story.sign(author, 200, [0xf6], on: parents)
            says = .nothing
        default:
            guard let about = subject() else { return }
            let isFor = draw(3) > 0
            record = try story.vote(author, isFor, about, on: parents)
            says = .opines(isFor, about.id)
        }
        note(record, says)
    }

    private func admits(
        _ record: MemberRecord, _ device: TestDevice
    ) throws -> RuleReference.Says {
        switch record.payload {
        case .add(let payload):
            return .admits(device.device, payload.role)
        default: throw MembershipError.badRecipients
        }
    }

    private mutating func companions(of removed: TestDevice) -> [TestDevice] {
        guard draw(3) == 0 else { return [] }
        return devices.filter { $0.device != removed.device && draw(3) == 0 }
    }

    /// A record to have an opinion of: mostly a restriction.
    private mutating func subject() -> MemberRecord? {
        let removals = story.records.filter { [2, 3].contains($0.kind) }
        if draw(4) > 0, !removals.isEmpty { return removals[draw(removals.count)] }
        return story.records[draw(story.records.count)]
    }
}
