import LinnetWire

/// The order of descent among the records of a log, and what records alone say of their ancestors.
struct Ancestry: Sendable {
    /// A record that admits a device, be its author entitled or not.
    private struct Admission {
        let lamport: UInt64
        let record: MemberRecordID
    }

    private var places = OrderedTable<MemberRecordID, Int>()
    /// For each place, the records before the one that came in there.
    private var before: [RecordSet] = []
    /// The records that admit each device, in the order in which records take effect.
    private var admissions = OrderedTable<DeviceID, [Admission]>()
    private var epochs: [(id: EpochID, number: UInt64)] = []
    private var critical: [MemberRecordID] = []
    private var recoveries: [MemberRecordID] = []
    private var recovery: DeviceID?

    /// The place of a record; nil when it is not held.
    func place(of id: MemberRecordID) -> Int? { places[id] }

    /// The given records and their ancestors; unknown ones count for nothing.
    func upTo(_ ids: [MemberRecordID]) -> RecordSet {
        var all = RecordSet()
        for place in ids.compactMap(place) {
            all.formUnion(before[place])
            all.insert(place)
        }
        return all
    }

    /// The ancestors of a record that is held.
    func before(_ id: MemberRecordID) -> RecordSet {
        place(of: id).map { before[$0] } ?? RecordSet()
    }

    func holds(_ id: MemberRecordID, in set: RecordSet) -> Bool {
        place(of: id).map(set.contains) ?? false
    }

    /// The records in a set that admit a device, in the order in which records take effect.
    func warrants(of device: DeviceID, in set: RecordSet) -> [MemberRecordID] {
        (admissions[device] ?? []).map(\.record).filter { holds($0, in: set) }
    }

    /// True when a device may sign after these records: it was admitted, or is the recovery key.
    func knows(_ device: DeviceID, in set: RecordSet) -> Bool {
        device == recovery || !warrants(of: device, in: set).isEmpty
            // A record that replaces the recovery key names it in a way that this version cannot
            // read.
            || recoveries.contains { holds($0, in: set) }
    }

    /// True when a device may replace the recovery key after these records.
    func mayRecover(_ device: DeviceID, in set: RecordSet) -> Bool {
        device == recovery || recoveries.contains { holds($0, in: set) }
    }

    /// The highest number of an epoch record in a set; 0 without any.
    func highestEpoch(in set: RecordSet) -> UInt64 {
        epochs.lazy.filter { holds($0.id, in: set) }.map(\.number).max() ?? 0
    }

    /// True when a set has a record that may mean anything to later versions.
    func hasCritical(in set: RecordSet) -> Bool {
        critical.contains { holds($0, in: set) }
    }

    /// True when a record in a set starts an epoch, or may do so for later versions.
    func mayBeEpoch(_ id: MemberRecordID, in set: RecordSet) -> Bool {
        holds(id, in: set) && (epochs.contains { $0.id == id } || critical.contains(id))
    }

    /// Takes a record in, whose parents are held.
    mutating func add(_ record: MemberRecord) {
        let ancestors = upTo(record.parents)
        places[record.id] = before.count
        before.append(ancestors)
        switch record.payload {
        case .genesis(let payload):
            recovery = payload.recovery?.device
            admit(payload.creator.device, by: record)
        case .add(let payload): admit(payload.certificate.device, by: record)
        case .laterAdd(let certificate):
            admit(certificate.device, by: record)
            critical.append(record.id)
        case .epoch(let payload): epochs.append((record.id, payload.number))
        case .unknown:
            if record.kind == MemberKind.recovery.rawValue { recoveries.append(record.id) }
            if record.isCritical { critical.append(record.id) }
        }
    }

    private mutating func admit(_ device: DeviceID, by record: MemberRecord) {
        let admission = Admission(lamport: record.lamport, record: record.id)
        var all = admissions[device] ?? []
        let place =
            all.firstIndex { (record.lamport, record.id) < ($0.lamport, $0.record) } ?? all.count
        all.insert(admission, at: place)
        admissions[device] = all
    }
}
