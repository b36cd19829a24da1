import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The bridges of a group, which follow from its records: from each epoch of which this device has
/// the network key to the first later one that has a box for each member that may hold it, and
/// where there is none to the newest records.
struct MadeBridges {
    struct Bridge {
        let object: MailObject
        let epoch: EpochID
        let records: OrderedSet<Bytes32>
    }

    private(set) var all: [Bridge] = []
    private var records = 0
    private var epochs = 0

    /// Makes them anew where the group changed.
    mutating func update(_ group: GroupState) {
        let log = group.log
        guard log.records.count != records || group.ring.epochs.count != epochs else { return }
        (records, epochs) = (log.records.count, group.ring.epochs.count)
        let boxes = EpochBoxes(log)
        all = group.ring.epochs.compactMap { epoch in
            guard let keys = MailKeys(epoch) else { return nil }
            let records = log.records(
                upTo: boxes.target(after: epoch) ?? log.heads.elements, unknownTo: [epoch.id])
            var (bytes, encoded): (Int, [[UInt8]]) = (0, [])
            for record in records {
                bytes += record.encoded.count
                guard bytes <= Limits.mailContentBytes else { break }
                encoded.append(record.encoded)
            }
            guard !encoded.isEmpty,
                let object = keys.seal(
                    MailBridge.encode(encoded, of: log.group), .bridge)
            else { return nil }
            return Bridge(
                object: object, epoch: epoch.id, records: MadeBridges.names(of: encoded))
        }
    }

    /// The records of a bridge, by hashes of their bytes.
    static func names(of records: [[UInt8]]) -> OrderedSet<Bytes32> {
        OrderedSet(records.map { BatchName.wide(Hash.blake2b(nil, $0)) })
    }
}

/// The members that may hold an epoch's keys, and the records that brought them.
private struct EpochBoxes {
    private let log: MembershipLog
    private var table = OrderedTable<EpochID, OrderedTable<DeviceID, MemberRecordID>>()

    init(_ log: MembershipLog) {
        self.log = log
        for record in log.records {
            for device in record.payload.epoch?.boxes.keys ?? [] {
                note(device, record.id, by: record.id)
            }
            switch record.payload {
            case .add(let payload):
                note(payload.certificate.device, payload.epoch, by: record.id)
            case .share(let payload) where record.author != payload.device:
                note(payload.device, payload.epoch, by: record.id)
            default: break
            }
        }
    }

    private mutating func note(_ device: DeviceID, _ epoch: EpochID, by record: MemberRecordID) {
        guard log.state.member(device) != nil, table[epoch]?[device] == nil else { return }
        table[epoch, default: OrderedTable()][device] = record
    }

    /// The records with which all members that may hold an epoch come to hold the first later one
    /// that has a box for each of them; nil where there is none.
    func target(after epoch: EpochKeys) -> [MemberRecordID]? {
        let waiting = table[epoch.id]?.keys ?? []
        for later in log.state.epochs.reversed() where isNewer(later, epoch) {
            let callers = log.state.verdict.judgedEpochs[later.id]?.callers ?? OrderedSet()
            let records = waiting.compactMap { table[later.id]?[$0] }
            guard records.count == waiting.count, !waiting.contains(where: callers.contains)
            else { continue }
            return [later.id] + records
        }
        return nil
    }

    /// The order in which epochs become current.
    private func isNewer(_ later: Epoch, _ epoch: EpochKeys) -> Bool {
        later.number == epoch.number ? later.id < epoch.id : later.number > epoch.number
    }
}
