import LinnetStorage

/// The batches of one chain by sequence, which as a rule has no gaps.
struct BatchList {
    private(set) var rows: [BatchRow] = []

    /// The place of the batch with this sequence, or nil.
    func place(of seq: UInt64) -> Int? {
        guard let first = rows.first?.seq, seq >= first else { return nil }
        // Without gaps it can only be here.
        let guess = seq - first
        if guess < rows.count, rows[Int(guess)].seq == seq { return Int(guess) }
        let place = lowerBound(seq)
        return place < rows.count && rows[place].seq == seq ? place : nil
    }

    /// The first place whose sequence is at least `seq`.
    func lowerBound(_ seq: UInt64) -> Int {
        guard let last = rows.last, seq <= last.seq else { return rows.count }
        return rows.lowerBound { $0.seq < seq }
    }

    /// Adds a batch; false when its sequence is there.
    mutating func insert(_ row: BatchRow) -> Bool {
        let place = lowerBound(row.seq)
        if place < rows.count, rows[place].seq == row.seq { return false }
        rows.insert(row, at: place)
        return true
    }

    /// Takes away the batch at a place.
    mutating func remove(at place: Int) -> BatchRow { rows.remove(at: place) }

    /// Takes away all from a place on.
    mutating func removeAll(from place: Int) -> [BatchRow] {
        let removed = Array(rows[place...])
        rows.removeSubrange(place...)
        return removed
    }

    /// Takes away all before a place.
    mutating func removeAll(before place: Int) -> [BatchRow] {
        let removed = Array(rows[..<place])
        rows.removeSubrange(..<place)
        return removed
    }

    /// Changes the batch at a place; its sequence stays.
    mutating func change(at place: Int, _ body: (inout BatchRow) -> Void) { body(&rows[place]) }
}
