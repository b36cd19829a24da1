import LinnetWire

@testable import LinnetMembership

/// Records of a few devices that see each other's late, in part or never, thieves among them.
struct RandomHistory {
    /// The things that happen most.
    enum Mood: CaseIterable {
        case everything, quarrels, words, keys
    }

    private(set) var story: RuleStory
    private var ancestors: [MemberRecordID: Set<MemberRecordID>] = [:]
    private var state: UInt64
    /// The last records of each device that lives honestly.
    private var last: [DeviceID: MemberRecord] = [:]
    private let devices = Self.everybody
    private let mood: Mood
    /// The recovery keys that a record names.
    private var keys: [TestDevice]

    /// Keys take long to make; these serve for all histories.
    static let everybody = (0..<8).map { TestDevice(UInt64(500 + $0)) }
    private static let successors = (0..<3).map { TestDevice(UInt64(520 + $0)) }

    init(seed: UInt64, steps: Int) throws {
        state = seed
        mood = Mood.allCases[Int(seed % UInt64(Mood.allCases.count))]
        story = try RuleStory(devices[0])
        keys = [story.recovery]
        note(story.genesis)
        for device in devices[1..<4] { note(try story.add(device, by: devices[0])) }
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

    private mutating func note(_ record: MemberRecord) {
        guard ancestors[record.id] == nil else { return }
        ancestors[record.id] = record.parents.reduce(into: Set(record.parents)) {
            $0.formUnion(ancestors[$1] ?? [])
        }
        last[record.author] = record
    }

    private mutating func acceptAll() throws {
        let adds = Array(story.records.dropFirst())
        for device in devices[1..<4] {
            for add in adds { note(try story.vote(device, true, add)) }
        }
    }

    // MARK: Parents

    /// Some records to follow, none before another: the latest of one's own with others, or old
    /// ones.
    private mutating func parents(of author: TestDevice) -> [MemberRecord]? {
        if draw(5) == 0 {
            return story.heads.count <= MemberRecord.mostParents && knows(author, story.heads)
                ? story.heads : nil
        }
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

    private func seen(_ parents: [MemberRecord]) -> Set<MemberRecordID> {
        parents.reduce(into: Set(parents.map(\.id))) { $0.formUnion(ancestors[$1.id] ?? []) }
    }

    private func knows(_ author: TestDevice, _ parents: [MemberRecord]) -> Bool {
        let seen = seen(parents)
        return story.records.contains { record in
            guard seen.contains(record.id) else { return false }
            return switch record.payload {
            case .genesis(let payload):
                [payload.creator.device, payload.recovery?.device].contains(author.device)
            case .add(let payload): payload.certificate.device == author.device
            case .laterAdd(let key), .recovery(let key): key.device == author.device
            default: false
            }
        }
    }

    /// The number of an epoch that follows some records.
    private func number(after parents: [MemberRecord]) -> UInt64 {
        let seen = seen(parents)
        return 1
            + (story.records.filter { seen.contains($0.id) }.compactMap(\.payload.epoch?.number)
                .max() ?? 0)
    }

    // MARK: Steps

    private mutating func somebody() -> TestDevice { devices[draw(draw(2) == 0 ? 4 : 8)] }

    private mutating func step() throws {
        let usesWords = draw(mood == .words ? 3 : 25) == 0
        let author = usesWords ? keys[draw(keys.count)] : somebody()
        guard let parents = parents(of: author) else { return }
        let other = draw(4) == 0 ? accuser(of: author) ?? somebody() : somebody()
        switch (mood, draw(18)) {
        case (_, 0), (.keys, 1): try admit(other, by: author, on: parents)
        case (_, 1...4), (.quarrels, 5...8):
            let with = author.device == other.device ? [] : companions(of: other)
            note(
                try story.remove(
                    other, by: author, with: with, sealedTo: some(),
                    number: number(after: parents), heads: heads(), on: parents))
        case (_, 5), (.keys, 6): try rank(other, by: author, on: parents)
        case (.words, 6...8),
            (_, 6) where usesWords:
            try renew(by: author, on: parents)
        case (.everything, 7), (.keys, 7):
            let kinds: [UInt8] = [9, 100, 200]
            note(try story.sign(author, kinds[draw(3)], [0xf6], on: parents))
        case (.everything, 8...9), (.keys, 8...11): try begin(by: author, on: parents)
        case (.everything, 10), (.keys, 12...14): try share(with: other, by: author, on: parents)
        case (.everything, 11), (.keys, 15):
            note(
                try story.sign(
                    author, .extend(ExtendPayload(device: other.device, heads: heads())),
                    on: parents))
        default:
            guard let about = subject() else { return }
            note(try story.vote(author, draw(3) > 0, about, on: parents))
        }
    }

    /// A device that removes or demotes one.
    private mutating func accuser(of device: TestDevice) -> TestDevice? {
        let accusers = story.records.filter { record in
            switch record.payload {
            case .remove(let payload): payload.device == device.device
            case .role(let payload): payload.device == device.device
            default: false
            }
        }
        guard !accusers.isEmpty else { return nil }
        let accuser = accusers[draw(accusers.count)].author
        return devices.first { $0.device == accuser }
    }

    private mutating func admit(
        _ other: TestDevice, by author: TestDevice, on parents: [MemberRecord]
    ) throws {
        let role = draw(2) == 0 ? Role.admin : Role.allCases[draw(4)]
        if draw(12) == 0 {
            var writer = CBORWriter()
            writer.array(4)
            writer.raw(other.certificate.encoded)
            writer.unsigned(9)
            writer.bytes(MemberRecordID.zero)
            writer.bytes([])
            note(try story.sign(author, 1, writer.bytes, on: parents))
            return
        }
        note(try story.add(other, by: author, role: role, on: parents, epoch: anEpoch()))
    }

    private mutating func rank(
        _ other: TestDevice, by author: TestDevice, on parents: [MemberRecord]
    ) throws {
        let role = Role.allCases[draw(4)]
        var scopes = ScopeGrant.all
        if role == .member || role == .reader, draw(2) == 0 {
            let names = (0..<3 as Range<UInt8>).filter { _ in draw(2) == 0 }
            scopes = .some((names.isEmpty ? [1] : names).map { Bytes16(repeating: $0) })
        }
        note(
            try story.role(
                other, role, by: author, scopes: scopes, heads: role.writes ? [] : heads(),
                on: parents))
    }

    /// A recovery key names the next one, or a device that has its own place.
    private mutating func renew(by author: TestDevice, on parents: [MemberRecord]) throws {
        guard isNamed(author, before: parents) else { return }
        let next = draw(4) == 0 ? somebody() : Self.successors[draw(Self.successors.count)]
        note(try story.sign(author, .recovery(next.certificate), on: parents))
        if !keys.contains(where: { $0.device == next.device }) { keys.append(next) }
    }

    /// True when a record that these descend from names a device as recovery key: without one,
    /// nobody stores what it says of the next.
    private func isNamed(_ author: TestDevice, before parents: [MemberRecord]) -> Bool {
        let seen = seen(parents)
        return story.records.contains { record in
            guard seen.contains(record.id) else { return false }
            return switch record.payload {
            case .genesis(let payload): payload.recovery?.device == author.device
            case .recovery(let key): key.device == author.device
            default: false
            }
        }
    }

    private mutating func begin(by author: TestDevice, on parents: [MemberRecord]) throws {
        var bad: [EpochID] = []
        if draw(4) == 0 { bad = [anEpoch()].filter { $0 != .zero } }
        note(
            try story.epoch(
                by: author, number(after: parents), sealedTo: some(), bad: bad, on: parents))
    }

    private mutating func share(
        with other: TestDevice, by author: TestDevice, on parents: [MemberRecord]
    ) throws {
        let bytes = [80, 112, 128, 176, 224][draw(5)]
        note(
            try story.sign(
                author,
                .share(
                    SharePayload(
                        epoch: anEpoch(), device: other.device,
                        box: [UInt8](repeating: 5, count: bytes))), on: parents))
    }

    // MARK: Content

    private mutating func anEpoch() -> EpochID {
        let epochs = story.records.filter { $0.payload.epoch != nil }
        return epochs.isEmpty ? .zero : epochs[draw(epochs.count)].id
    }

    /// The devices that are members now, more or fewer.
    private mutating func some() throws -> [TestDevice] {
        let members = try story.members
        return devices.filter { members.contains($0.device) != (draw(10) == 0) }
    }

    private mutating func heads() -> [BatchHead] {
        (0..<draw(3)).map { _ in
            let number = UInt8(1 + draw(3))
            return BatchHead(
                incarnation: Bytes8(repeating: UInt8(draw(2))), scope: Bytes16(repeating: 2),
                sequence: UInt64(number), batch: Bytes32(repeating: number))
        }.sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private mutating func companions(of removed: TestDevice) -> [TestDevice] {
        guard draw(3) == 0 else { return [] }
        return devices.filter { $0.device != removed.device && draw(3) == 0 }
    }

    /// A record to have an opinion of: mostly a restriction.
    private mutating func subject() -> MemberRecord? {
        let removals = story.records.filter { [2, 3, 8].contains($0.kind) }
        if draw(4) > 0, !removals.isEmpty { return removals[draw(removals.count)] }
        return story.records[draw(story.records.count)]
    }
}
