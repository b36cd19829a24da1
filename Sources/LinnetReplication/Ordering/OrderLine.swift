import LinnetCRDT
import LinnetWire

/// The live records of a collection in the order of a field: those with a place, by it, and then
/// those that nobody ever moved, by identifier.
struct OrderLine: Sendable {
    /// A record with its place.
    private struct Placed: Comparable {
        let place: FractionalKey
        let record: RecordID

        static func < (left: Placed, right: Placed) -> Bool {
            if left.place != right.place { return left.place < right.place }
            return left.record < right.record
        }
    }

    /// The room for a record between two others.
    struct Gap: Equatable {
        /// The place before it; nil at the beginning.
        let lower: FractionalKey?
        /// The records that nobody ever moved and that stand before it too.
        let unplaced: [RecordID]
        /// The place after it; nil where no record with a place follows.
        let upper: FractionalKey?
    }

    private var placed: PiecedTable<Placed, Void>
    private var unplaced: PiecedTable<RecordID, Void>
    private var places: PiecedTable<RecordID, FractionalKey?>
    /// The number of records.
    var count: Int { places.count }

    /// Takes the records in their order.
    init(_ line: [(record: RecordID, place: FractionalKey?)]) {
        placed = PiecedTable(
            ascending: line.compactMap { entry in
                entry.place.map { (Placed(place: $0, record: entry.record), ()) }
            })
        unplaced = PiecedTable(
            ascending: line.filter { $0.place == nil }.map { ($0.record, ()) })
        places = PiecedTable(
            ascending: line.sorted { $0.record < $1.record }.map { ($0.record, $0.place) })
    }

    /// Gives a live record its place, or none where nobody ever moved it.
    mutating func put(_ record: RecordID, at place: FractionalKey?) {
        remove(record)
        places[record, default: place] = place
        if let place {
            placed[Placed(place: place, record: record)] = ()
        } else {
            unplaced[record] = ()
        }
    }

    /// Takes out a record that is no longer live, if it is there.
    mutating func remove(_ record: RecordID) {
        guard let old = places[record] else { return }
        places[record] = Optional<FractionalKey?>.none
        if let old {
            placed[Placed(place: old, record: record)] = nil
        } else {
            unplaced[record] = nil
        }
    }

    /// Returns the room at a place for a record, which does not count itself; nil when the record
    /// beside which it is to stand is not there.
    func gap(at place: OrderPlace, for mover: RecordID) -> Gap? {
        if case .first = place { return gap(after: nil, from: placed.first?.key, for: mover) }
        guard let anchor = place.anchor else {
            return endGap(upTo: nil, with: false, for: mover)
        }
        guard let record = RecordID(anchor), record != mover, let found = places[record]
        else { return nil }
        let isAfter = if case .after = place { true } else { false }
        guard let key = found else {
            return endGap(upTo: record, with: isAfter, for: mover)
        }
        let neighbour = Placed(place: key, record: record)
        if isAfter {
            return gap(after: key, from: placed.first(after: neighbour)?.key, for: mover)
        }
        var before = placed.last(before: neighbour)?.key
        if let other = before, other.record == mover { before = placed.last(before: other)?.key }
        return gap(after: before?.place, from: neighbour, for: mover)
    }

    /// Returns the room after a place. Of several records with that place it is behind the last.
    private func gap(after lower: FractionalKey?, from first: Placed?, for mover: RecordID) -> Gap {
        var next = first
        while let other = next, other.record == mover || lower.map({ other.place <= $0 }) ?? false {
            next = placed.first(after: other)?.key
        }
        return Gap(lower: lower, unplaced: [], upper: next?.place)
    }

    /// Returns the room behind all records with a place, and behind those without up to one.
    private func endGap(upTo end: RecordID?, with isIncluded: Bool, for mover: RecordID) -> Gap {
        var last = placed.last?.key
        if let other = last, other.record == mover { last = placed.last(before: other)?.key }
        var before: [RecordID] = []
        var next = unplaced.first?.key
        while let record = next, end.map({ record < $0 || isIncluded && record == $0 }) ?? true {
            if record != mover { before.append(record) }
            next = unplaced.first(after: record)?.key
        }
        return Gap(lower: last?.place, unplaced: before, upper: nil)
    }
}
