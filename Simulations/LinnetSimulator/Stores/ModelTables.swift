import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The rows of a model store; hash tables find rows and are never walked.
struct ModelTables {
    var values: [[UInt8]?] = Array(repeating: nil, count: MetaKey.allCases.count)
    /// Chain n is at n - 1.
    var chains: [ChainRow] = []
    var batches = BatchShelf()
    var records: [RecordShelf] = []
    var members: [MemberRow] = []
    var pending = PendingShelf()
    /// By device and incarnation.
    var peers: [PeerRow] = []
    var intents: [[UInt8]: [UInt8]] = [:]
    /// By key.
    var lanes: [LaneRow] = []
    /// By batch and index.
    var quarantine: [QuarantineRow] = []
    var forks: [ForkRow] = []
    var chunks = ModelChunks()
    var bases = ModelBases()
}

/// The way to undo one step.
enum ModelChange {
    case value(MetaKey, [UInt8]?)
    case chainAdded
    case chain(ChainRow)
    case batchAdded(chain: Int64, seq: UInt64)
    case batchReplaced(BatchRow)
    case batchTagged(chain: Int64, seq: UInt64, commit: CommitID?, part: UInt32, parts: UInt32)
    case batchesMoved(chain: Int64, BatchList, target: Int64, BatchList)
    case batchesRemoved(BatchShelf)
    case recordAdded(collection: UInt32)
    case record(at: Int, RecordState)
    case records([RecordShelf])
    case entries(collection: UInt32, at: Int, [IndexEntry])
    case memberAdded
    case pendingAdded(BatchID)
    case pendingRemoved(PendingRow, at: Int)
    case peers([PeerRow])
    case intentAdded([UInt8])
    case lanes([LaneRow])
    case quarantineAdded(at: Int)
    case quarantine(at: Int, reason: UInt32)
    case forkAdded
    case chunks(ModelChunks)
    case bases(ModelBases)
}

extension ModelTables {
    /// Undoes the newest step that was not undone yet.
    mutating func revert(_ change: ModelChange) {
        switch change {
        case .value(let key, let value): values[key.slot] = value
        case .chainAdded: chains.removeLast()
        case .chain(let row): chains[Int(row.index) - 1] = row
        case .batchAdded(let chain, let seq): batches.remove(chain: chain, seq: seq)
        case .batchReplaced(let row): _ = batches.replace(row)
        case .batchTagged(let chain, let seq, let commit, let part, let parts):
            _ = batches.tag(chain: chain, seq: seq, commit: commit, part: part, parts: parts)
        case .batchesMoved(let chain, let list, let target, let other):
            batches.put(list, chain: chain)
            batches.put(other, chain: target)
        case .batchesRemoved(let shelf): batches = shelf
        case .recordAdded(let collection): withShelf(collection) { $0.removeLast() }
        case .record(let place, let state):
            withShelf(state.collection) { $0.replace(at: place, with: state) }
        case .records(let shelves): records = shelves
        case .entries(let collection, let place, let entries):
            withShelf(collection) { $0.setEntries(entries, at: place) }
        case .memberAdded: members.removeLast()
        case .pendingAdded(let id): _ = pending.remove(id)
        case .pendingRemoved(let row, let place): pending.insert(row, at: place)
        case .peers(let rows): peers = rows
        case .intentAdded(let intent): intents[intent] = nil
        case .lanes(let rows): lanes = rows
        case .quarantineAdded(let place): quarantine.remove(at: place)
        case .quarantine(let place, let reason): quarantine[place].reason = reason
        case .forkAdded: forks.removeLast()
        case .chunks(let before): chunks = before
        case .bases(let before): bases = before
        }
    }

    /// The records of a collection, nil when it never had one.
    func shelf(_ collection: UInt32) -> RecordShelf? {
        let place = records.lowerBound { $0.collection < collection }
        return place < records.count && records[place].collection == collection
            ? records[place] : nil
    }

    /// Changes the shelf of a collection in place, which is made when it is missing.
    @discardableResult
    mutating func withShelf<Result>(
        _ collection: UInt32, _ body: (inout RecordShelf) -> Result
    ) -> Result {
        let place = records.lowerBound { $0.collection < collection }
        if place == records.count || records[place].collection != collection {
            records.insert(RecordShelf(collection: collection), at: place)
        }
        return body(&records[place])
    }
}

extension MetaKey {
    /// A place of its own in an array.
    var slot: Int {
        switch self {
        case .group: 0
        case .incarnation: 1
        case .clock: 2
        case .keyRing: 3
        case .scopes: 4
        case .pairingCounters: 5
        case .schema: 6
        case .replica: 7
        case .application: 8
        case .indexes: 9
        case .notices: 10
        case .groupSchema: 11
        case .knownScopes: 12
        case .restatements: 13
        case .droppedLate: 14
        case .foundingKey: 15
        case .recoveryTested: 16
        case .questions: 17
        case .handedKeys: 18
        case .scopedReaders: 19
        case .mailboxes: 20
        case .arrivingBase: 21
        }
    }
}

extension Array {
    /// The first place whose element does not come before what is sought; the array is sorted.
    func lowerBound(isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
