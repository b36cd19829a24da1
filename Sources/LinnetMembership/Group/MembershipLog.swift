package import LinnetWire

/// The membership records of one group: a graph that grows, linked by hashes, whose meaning is a
/// function of the set of records alone.
package struct MembershipLog: Sendable {
    /// Most records that wait for their parents.
    package static let mostParked = 256

    /// The fate of a record that was inserted.
    package enum Insertion: Equatable, Sendable {
        /// These records were added, parents first: the given one and those that waited for it.
        case inserted([MemberRecord])
        /// The record was there.
        case duplicate
        /// The record waits for these parents, in memory only.
        case parked(missing: [MemberRecordID])
    }

    /// The group, named by its genesis record.
    package let group: GroupID
    /// Every record, parents first: by logical time, then by identifier.
    package private(set) var records: [MemberRecord]
    /// The records that no other record follows.
    package private(set) var heads: OrderedSet<MemberRecordID>
    /// The state that all records together make.
    package private(set) var state: MembershipState

    private(set) var graph = RecordGraph()
    /// The number of records that the state has taken in.
    private var judged = 0
    private var lamports: OrderedTable<MemberRecordID, UInt64>
    private var parked = OrderedTable<MemberRecordID, MemberRecord>()

    /// Starts from a genesis record.
    package init(genesis: MemberRecord) throws(MembershipError) {
        guard case .genesis = genesis.payload else { throw .notAGenesis }
        group = genesis.id
        records = [genesis]
        heads = OrderedSet([genesis.id])
        lamports = OrderedTable([(genesis.id, genesis.lamport)])
        graph.add(genesis)
        state = MembershipState(graph)
        judged = 1
    }

    /// Rebuilds a log from stored or received records, genesis first and parents before children;
    /// throws for the first record that may not be there.
    package init(records encoded: [[UInt8]]) throws(MembershipError) {
        guard let first = encoded.first else { throw .notAGenesis }
        try self.init(genesis: try MemberRecord(decoding: first))
        for bytes in encoded.dropFirst() {
            if case .parked = try link(try MemberRecord(decoding: bytes)) {
                throw .malformed(.truncated)
            }
        }
        settle()
    }

    /// Rebuilds the log of one's own store, without the records of another version that this one
    /// would not store: they are judged again when a peer sends them.
    package init(stored encoded: [[UInt8]]) throws(MembershipError) {
        guard let first = encoded.first else { throw .notAGenesis }
        try self.init(genesis: try MemberRecord(decoding: first))
        for bytes in encoded.dropFirst() {
            do {
                _ = try link(try MemberRecord(decoding: bytes))
            } catch {
                guard error.isOfAnotherVersion, MemberRecord.isSigned(bytes) else { throw error }
            }
        }
        parked.removeAll()
        settle()
    }

    /// Adds a record, and those that waited for it.
    ///
    /// Throws what is wrong with this record; of those that waited, wrong ones are dropped.
    package mutating func insert(_ record: MemberRecord) throws(MembershipError) -> Insertion {
        let insertion = try link(record)
        settle()
        return insertion
    }

    /// Adds records as ``insert(_:)`` does, up to the first wrong one, and finds once what follows
    /// from all. Records for which there is no room now are left out.
    package mutating func insert(
        contentsOf records: [MemberRecord]
    ) -> (added: [MemberRecord], refusal: MembershipError?) {
        defer { settle() }
        var added: [MemberRecord] = []
        for record in records {
            do {
                if case .inserted(let new) = try link(record) { added += new }
            } catch {
                guard error == .tooManyParked || error == .noRoom else { return (added, error) }
            }
        }
        return (added, nil)
    }

    private mutating func link(_ record: MemberRecord) throws(MembershipError) -> Insertion {
        guard record.group == group else { throw .wrongGroup }
        if contains(record.id) { return .duplicate }
        let missing = record.parents.filter { !contains($0) }
        guard missing.isEmpty else {
            guard parked[record.id] != nil || parked.count < Self.mostParked else {
                throw .tooManyParked
            }
            parked[record.id] = record
            return .parked(missing: missing)
        }
        try add(record)
        return .inserted([record] + unpark())
    }

    /// True when records wait for their parents.
    package var hasParked: Bool { !parked.isEmpty }

    /// Forgets the records that wait for their parents, as when the peer that sent them is gone.
    package mutating func discardParked() {
        parked.removeAll()
    }

    /// The parents for which records wait, in order.
    package var missingParents: [MemberRecordID] {
        let parents = parked.values.flatMap(\.parents)
        return OrderedSet(parents.filter { lamports[$0] == nil && parked[$0] == nil }).elements
    }

    /// Returns true when the log holds a record; waiting ones do not count.
    package func contains(_ id: MemberRecordID) -> Bool {
        lamports.index(of: id) != nil
    }

    /// The record of this identifier.
    package func record(_ id: MemberRecordID) -> MemberRecord? {
        position(of: id).map { records[$0] }
    }

    /// Returns the state that the given records and all their ancestors make; unknown identifiers
    /// count for nothing.
    package func state(upTo ids: [MemberRecordID]) -> MembershipState {
        if heads.allSatisfy(ids.contains) { return state }
        var part = RecordGraph()
        for record in records(upTo: ids) { part.add(record) }
        return MembershipState(part)
    }

    /// The given records and all their ancestors, parents first; unknown identifiers count for
    /// nothing.
    package func records(upTo ids: [MemberRecordID]) -> [MemberRecord] {
        let wanted = graph.upTo(ids)
        return records.filter { graph.holds($0.id, in: wanted) }
    }

    /// Returns true when a record is one of the given ones or an ancestor of one.
    package func contains(_ id: MemberRecordID, upTo ids: [MemberRecordID]) -> Bool {
        if heads.allSatisfy(ids.contains) { return contains(id) }
        return graph.holds(id, in: graph.upTo(ids))
    }

    /// Records at distances from the newest that double each time: a peer that lacks our newest
    /// ones is likely to have one of these.
    package var landmarks: [MemberRecordID] {
        sequence(first: 1) { $0 * 2 }.prefix { $0 < records.count }
            .map { records[records.count - 1 - $0].id }
    }

    /// The records that a peer with these heads lacks, parents first; heads that are unknown here
    /// count for nothing.
    package func records(unknownTo heads: [MemberRecordID]) -> [MemberRecord] {
        let held = graph.upTo(heads)
        return records.filter { !graph.holds($0.id, in: held) }
    }

    /// The records among the given ones and their ancestors that a peer with these heads lacks,
    /// parents first.
    package func records(
        upTo ids: [MemberRecordID], unknownTo heads: [MemberRecordID]
    ) -> [MemberRecord] {
        let (wanted, held) = (graph.upTo(ids), graph.upTo(heads))
        return records.filter {
            graph.holds($0.id, in: wanted) && !graph.holds($0.id, in: held)
        }
    }

    private mutating func add(_ record: MemberRecord) throws(MembershipError) {
        guard records.count < Limits.memberRecordsHeld else { throw .noRoom }
        let latest = record.parents.compactMap { lamports[$0] }.max() ?? 0
        let (lamport, overflow) = latest.addingReportingOverflow(1)
        guard !overflow, record.lamport == lamport else { throw .badLamport }
        try MembershipRules.check(record, after: graph.upTo(record.parents), in: graph)
        let position = insertionPoint(lamport: record.lamport, id: record.id)
        records.insert(record, at: position)
        lamports[record.id] = record.lamport
        graph.add(record)
        for parent in record.parents { heads.remove(parent) }
        heads.insert(record.id)
    }

    /// Judges the records anew, if there are more.
    private mutating func settle() {
        guard judged < records.count else { return }
        state = MembershipState(graph)
        judged = records.count
    }

    /// Adds every waiting record whose parents have come.
    private mutating func unpark() -> [MemberRecord] {
        var added: [MemberRecord] = []
        while let ready = parked.values.first(where: { $0.parents.allSatisfy(contains) }) {
            parked.removeValue(forKey: ready.id)
            do {
                try add(ready)
                added.append(ready)
            } catch {
                continue
            }
        }
        return added
    }

    private func position(of id: MemberRecordID) -> Int? {
        lamports[id].map { insertionPoint(lamport: $0, id: id) }
    }

    private func insertionPoint(lamport: UInt64, id: MemberRecordID) -> Int {
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if (records[middle].lamport, records[middle].id) < (lamport, id) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension MembershipLog: Equatable {
    /// True when two logs hold the same records, and the same wait; all else follows from these.
    package static func == (left: MembershipLog, right: MembershipLog) -> Bool {
        left.records == right.records && left.parked == right.parked
    }
}
