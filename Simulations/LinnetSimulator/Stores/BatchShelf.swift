import LinnetStorage
import LinnetWire

/// The batches of all chains.
struct BatchShelf {
    private var lists: [Int64: BatchList] = [:]
    /// The places where parts of commits of several are or were; who reads it looks whether they
    /// are.
    private var places: [CommitID: [Place]] = [:]
    private(set) var totals = Totals(count: 0, bytes: 0)

    private struct Place: Equatable {
        let chain: Int64
        let seq: UInt64
    }

    /// The batches of a chain.
    func list(_ chain: Int64) -> BatchList { lists[chain] ?? BatchList() }

    /// The batch at a place, or nil.
    func row(chain: Int64, seq: UInt64) -> BatchRow? {
        guard let list = lists[chain], let place = list.place(of: seq) else { return nil }
        return list.rows[place]
    }

    /// The identifier at a place, or nil.
    func id(chain: Int64, seq: UInt64) -> BatchID? {
        guard let list = lists[chain], let place = list.place(of: seq) else { return nil }
        return list.rows[place].id
    }

    /// Adds a batch; false when its place is taken.
    mutating func insert(_ row: BatchRow) -> Bool {
        guard lists[row.chain, default: BatchList()].insert(row) else { return false }
        totals.count += 1
        totals.bytes += row.ciphertext.count
        index(row)
        return true
    }

    /// Puts a batch in the place of another; returns that one, nil when there was none.
    mutating func replace(_ row: BatchRow) -> BatchRow? {
        guard let place = lists[row.chain]?.place(of: row.seq),
            let before = lists[row.chain]?.rows[place]
        else { return nil }
        lists[row.chain]?.change(at: place) { old in
            old = row
            (old.commit, old.part, old.parts) = (before.commit, before.part, before.parts)
        }
        totals.bytes += row.ciphertext.count - before.ciphertext.count
        return before
    }

    /// Takes away a batch that is there.
    mutating func remove(chain: Int64, seq: UInt64) {
        guard let place = lists[chain]?.place(of: seq),
            let row = lists[chain]?.remove(at: place)
        else { return }
        totals.count -= 1
        totals.bytes -= row.ciphertext.count
    }

    /// Takes away the batches of a chain from a sequence on; false when there is none.
    mutating func removeAll(chain: Int64, from seq: UInt64) -> Bool {
        var list = list(chain)
        let removed = list.removeAll(from: list.lowerBound(seq))
        for row in removed {
            totals.count -= 1
            totals.bytes -= row.ciphertext.count
        }
        lists[chain] = list.rows.isEmpty ? nil : list
        return !removed.isEmpty
    }

    /// Takes away the batches of a chain below a sequence; false when there is none.
    mutating func removeAll(chain: Int64, below seq: UInt64) -> Bool {
        var list = list(chain)
        let removed = list.removeAll(before: list.lowerBound(seq))
        for row in removed {
            totals.count -= 1
            totals.bytes -= row.ciphertext.count
        }
        lists[chain] = list.rows.isEmpty ? nil : list
        return !removed.isEmpty
    }

    /// The commits of several of which a part is here.
    var commitsInParts: [CommitID] { places.keys.filter { !parts(of: $0).isEmpty }.sorted() }

    /// Says which part of which commit a batch is; returns what was said before, nil when there is
    /// no such batch.
    mutating func tag(
        chain: Int64, seq: UInt64, commit: CommitID?, part: UInt32, parts: UInt32
    ) -> BatchRow? {
        guard let place = lists[chain]?.place(of: seq), let before = lists[chain]?.rows[place]
        else { return nil }
        lists[chain]?.change(at: place) { row in
            row.commit = commit
            row.part = part
            row.parts = parts
        }
        if parts > 1, let row = lists[chain]?.rows[place] { index(row) }
        return before
    }

    /// Moves the batches of a chain from `seq` on; how many, or nil when a place is taken.
    mutating func move(from chain: Int64, startingAt seq: UInt64, to target: Int64) -> Int? {
        var source = list(chain)
        let first = source.lowerBound(seq)
        guard chain != target else { return source.rows.count - first }
        var destination = list(target)
        var moved = source.removeAll(from: first)
        for place in moved.indices {
            moved[place].chain = target
            guard destination.insert(moved[place]) else { return nil }
        }
        put(source, chain: chain)
        put(destination, chain: target)
        for row in moved { index(row) }
        return moved.count
    }

    /// Gives a chain these batches, all of which are counted already.
    mutating func put(_ list: BatchList, chain: Int64) { lists[chain] = list }

    /// The parts of a commit of several, by part, chain and sequence.
    func parts(of commit: CommitID) -> [CommitPart] {
        var found: [CommitPart] = []
        for place in places[commit] ?? [] {
            guard let row = row(chain: place.chain, seq: place.seq), row.commit == commit,
                row.parts > 1
            else { continue }
            found.append(
                CommitPart(
                    chain: row.chain, seq: row.seq, part: row.part, parts: row.parts))
        }
        return found.sorted { ($0.part, $0.chain, $0.seq) < ($1.part, $1.chain, $1.seq) }
    }

    private mutating func index(_ row: BatchRow) {
        guard row.parts > 1, let commit = row.commit else { return }
        let place = Place(chain: row.chain, seq: row.seq)
        if places[commit]?.contains(place) == true { return }
        places[commit, default: []].append(place)
    }
}
