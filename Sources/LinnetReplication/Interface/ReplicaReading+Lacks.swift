import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension ReplicaReading {
    /// The largest number of batches that are opened to tell what members lack.
    private static var openedBatches: Int { 256 }

    /// Returns what each other member lacks by what it said last, in this session or an earlier
    /// one; members that never said what they hold are left out.
    ///
    /// Whoever is away may have heard more from others since. At most 256 batches are opened in
    /// all, each once.
    package func lacks() throws(ReplicaError) -> [MemberLack] {
        try storage { () throws(StorageError) in
            let heard = try log.store.peerKnowledge()
            var opened: OrderedTable<LackedPlace, [RecordKey]> = OrderedTable()
            var left = Self.openedBatches
            var lacks: [MemberLack] = []
            for member in log.group?.log.state.members ?? [] where member.device != device {
                guard let chains = lack(of: member.device, heard) else { continue }
                var records: OrderedSet<RecordKey> = OrderedSet()
                var count: UInt64 = 0
                for place in newest(of: chains, atMost: Self.openedBatches) {
                    if opened[place] == nil {
                        guard left > 0 else { continue }
                        left -= 1
                        opened[place] = try changedRecords(at: place)
                    }
                    count += 1
                    for key in opened[place] ?? [] { records.insert(key) }
                }
                lacks.append(
                    MemberLack(
                        device: member.device,
                        batches: chains.reduce(0) { $0 + UInt64($1.seqs.count) }, opened: count,
                        parts: parts(of: records)))
            }
            return lacks.sorted { $0.device < $1.device }
        }
    }

    /// Returns the batches that a member lacks by what it said last; nil when it never said what
    /// it holds. Batches that it wrote itself and those of scopes that it does not hold are none of
    /// them.
    func lack(
        of member: DeviceID, _ heard: [(device: DeviceID, knowledge: PeerKnowledge)]
    ) -> [LackedBatches]? {
        let open = sessions.informed(of: member)
        let kept = heard.first { $0.device == member }?.knowledge
        guard let scopes = open?.greeting.scopes ?? kept?.scopes else { return nil }
        let rights = open?.grant ?? log.group?.rights.filter(of: member) ?? .everything
        return log.chains.rows.values.compactMap { row in
            guard row.device != member, rights.holds(row.scope), scopes.holds(row.scope) else {
                return nil
            }
            let said = open.map { $0.peer[row.key]?.seq ?? 0 } ?? kept?.seq(of: row.key) ?? 0
            let held = max(said, row.first - 1)
            return row.stored > held
                ? LackedBatches(row: row, seqs: held + 1...row.stored) : nil
        }
    }

    /// Returns the last batches of some chains, taken from each in turn.
    private func newest(of chains: [LackedBatches], atMost limit: Int) -> [LackedPlace] {
        var places: [LackedPlace] = []
        var back: UInt64 = 0
        while places.count < limit {
            let before = places.count
            for chain in chains where UInt64(chain.seqs.count) > back && places.count < limit {
                places.append(LackedPlace(key: chain.row.key, seq: chain.seqs.upperBound - back))
            }
            if places.count == before { break }
            back += 1
        }
        return places
    }

    /// Returns the records that a batch changes; none when it cannot be read here.
    private func changedRecords(at place: LackedPlace) throws(StorageError) -> [RecordKey] {
        guard let row = log.chains[place.key],
            let stored = try log.store.batch(chain: row.index, seq: place.seq),
            let body = log.group?.body(of: stored, in: row)
        else { return [] }
        return body.operations.map {
            RecordKey(collection: $0.collection, record: $0.record)
        }
    }

    private func parts(of records: OrderedSet<RecordKey>) -> [MemberLack.Part] {
        var counts: OrderedTable<UInt32, UInt64> = OrderedTable()
        for key in records { counts[key.collection] = (counts[key.collection] ?? 0) + 1 }
        return counts.map { MemberLack.Part(collection: $0.key, records: $0.value) }
    }
}
