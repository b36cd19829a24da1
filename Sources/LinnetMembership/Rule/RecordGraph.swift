import LinnetWire

/// The records of a group with all that follows from their bytes and ancestors: numbers for records
/// and devices, descent, and which record says what of which device.
struct RecordGraph: Sendable {
    /// A record, with devices by number.
    struct Node: Sendable {
        let id: MemberRecordID
        let lamport: UInt64
        let author: Int
        let payload: MemberPayload
        /// True when only a later version knows what it says of the group.
        let isCritical: Bool
        /// The device that it adds, removes or gives a role; nil in others.
        let target: Int?
        /// The ancestors.
        let before: RecordSet
    }

    /// By number, in the order in which they came.
    private(set) var nodes: [Node] = []
    /// The numbers of the records, by (`lamport`, id).
    private(set) var order: [Int] = []
    /// The name of each device and recovery key that a record mentions.
    private(set) var names: [DeviceID] = []
    /// By device: what brings it in, its own records, and the role records of it, each in order.
    private(set) var adds: [[Int]] = []
    private(set) var own: [[Int]] = []
    private(set) var roles: [[Int]] = []
    /// Removes, role records of other roles than admin, and new recovery keys, in order.
    private(set) var restrictions: [Int] = []
    /// Votes by the record that they are about.
    private(set) var votes = OrderedTable<MemberRecordID, [Int]>()
    /// The records with an epoch, as they came.
    private(set) var epochs: [Int] = []
    /// By device: the adds of it in roles that only a later version knows.
    private var laterAdds: [[Int]] = []
    /// The records that the first version did not understand, as they came.
    private var novel: [Int] = []
    private var numbers = OrderedTable<DeviceID, Int>()
    private var places = OrderedTable<MemberRecordID, Int>()
    /// True for a device that a record names as recovery key.
    private(set) var isRecovery: [Bool] = []

    /// The number of a record that is held.
    func place(of id: MemberRecordID) -> Int? { places[id] }

    /// The number of a device that a record mentions.
    func number(of device: DeviceID) -> Int? { numbers[device] }

    /// True when the first of two records is an ancestor of the second.
    func isBefore(_ first: Int, _ second: Int) -> Bool { nodes[second].before.contains(first) }

    /// True when neither of two records descends from the other.
    func isConcurrent(_ first: Int, _ second: Int) -> Bool {
        first != second && !isBefore(first, second) && !isBefore(second, first)
    }

    /// True when the first of two records comes first in the order.
    func precedes(_ first: Int, _ second: Int) -> Bool {
        (nodes[first].lamport, nodes[first].id) < (nodes[second].lamport, nodes[second].id)
    }

    /// True when a device is a recovery key or was brought in before another one.
    func isSenior(_ first: Int, to second: Int) -> Bool {
        guard let one = adds[first].first, let other = adds[second].first else {
            return !adds[first].isEmpty
        }
        return precedes(one, other)
    }

    /// Takes a record in, whose parents are held; returns its number.
    @discardableResult
    mutating func add(_ record: MemberRecord) -> Int {
        let before = upTo(record.parents)
        let place = nodes.count
        let author = number(naming: record.author)
        var target: Int?
        switch record.payload {
        case .genesis(let payload):
            target = number(naming: payload.creator.device)
            if let key = payload.recovery { isRecovery[number(naming: key.device)] = true }
        case .add(let payload): target = number(naming: payload.certificate.device)
        case .laterAdd(let certificate): target = number(naming: certificate.device)
        case .remove(let payload):
            target = number(naming: payload.device)
            for companion in payload.with { _ = number(naming: companion.device) }
        case .role(let payload): target = number(naming: payload.device)
        case .extend(let payload): target = number(naming: payload.device)
        case .share(let payload): target = number(naming: payload.device)
        case .recovery(let key): isRecovery[number(naming: key.device)] = true
        case .epoch, .vote, .unknown: break
        }
        nodes.append(
            Node(
                id: record.id, lamport: record.lamport, author: author, payload: record.payload,
                isCritical: record.isCritical, target: target, before: before))
        if record.isNovel { novel.append(place) }
        places[record.id] = place
        insert(place, into: &order)
        insert(place, into: &own[author])
        index(place)
        return place
    }

    private mutating func index(_ place: Int) {
        let node = nodes[place]
        switch node.payload {
        case .genesis(let payload):
            if let device = node.target { insert(place, into: &adds[device]) }
            if let key = payload.recovery.flatMap({ number(of: $0.device) }) {
                insert(place, into: &adds[key])
            }
        case .add:
            if let device = node.target { insert(place, into: &adds[device]) }
        case .laterAdd:
            if let device = node.target { laterAdds[device].append(place) }
        case .remove(let payload):
            insert(place, into: &restrictions)
            if payload.epoch != nil { epochs.append(place) }
        case .epoch: epochs.append(place)
        case .role(let payload):
            if let device = node.target { insert(place, into: &roles[device]) }
            if payload.role != .admin { insert(place, into: &restrictions) }
        case .recovery(let key):
            if let key = number(of: key.device) { insert(place, into: &adds[key]) }
            insert(place, into: &restrictions)
        case .vote(let payload):
            var all = votes[payload.record] ?? []
            insert(place, into: &all)
            votes[payload.record] = all
        case .extend, .share, .unknown: break
        }
    }

    private mutating func number(naming device: DeviceID) -> Int {
        if let number = numbers[device] { return number }
        let number = names.count
        numbers[device] = number
        names.append(device)
        adds.append([])
        own.append([])
        roles.append([])
        laterAdds.append([])
        isRecovery.append(false)
        return number
    }

    private func insert(_ place: Int, into list: inout [Int]) {
        guard let last = list.last, precedes(place, last) else {
            list.append(place)
            return
        }
        let position = list.firstIndex { precedes(place, $0) } ?? list.count
        list.insert(place, at: position)
    }
}

// MARK: Descent

extension RecordGraph {
    /// The given records and their ancestors; unknown ones count for nothing.
    func upTo(_ ids: [MemberRecordID]) -> RecordSet {
        var all = RecordSet()
        for place in ids.compactMap(place) {
            all.formUnion(nodes[place].before)
            all.insert(place)
        }
        return all
    }

    /// True when a record is held and in a set.
    func holds(_ id: MemberRecordID, in set: RecordSet) -> Bool {
        place(of: id).map(set.contains) ?? false
    }

    /// The last record that a device signed, in order; nil when it signed none.
    func last(of device: DeviceID) -> MemberRecordID? {
        number(of: device).flatMap { own[$0].last }.map { nodes[$0].id }
    }

    /// True when a device may sign after these records: one of them brings it in, be the author of
    /// that one entitled or not.
    func knows(_ device: DeviceID, in set: RecordSet) -> Bool {
        guard let number = number(of: device) else { return false }
        return (adds[number] + laterAdds[number]).contains(where: set.contains)
    }

    /// True when one of these records names a device as recovery key.
    func isRecoveryKey(_ device: DeviceID, in set: RecordSet) -> Bool {
        guard let number = number(of: device), isRecovery[number] else { return false }
        return adds[number].contains { place in
            guard set.contains(place) else { return false }
            return switch nodes[place].payload {
            case .genesis(let payload): payload.recovery?.device == device
            case .recovery: true
            default: false
            }
        }
    }

    /// The highest number of an epoch in a set; 0 without any.
    func highestEpoch(in set: RecordSet) -> UInt64 {
        epochs.lazy.filter(set.contains).compactMap { self.nodes[$0].payload.epoch?.number }
            .max() ?? 0
    }

    /// True when a set has a record that the first version did not understand.
    func hasNovel(in set: RecordSet) -> Bool { novel.contains(where: set.contains) }
}
