import LinnetWire

/// The state of one key of a tally.
struct TallyAccount: Equatable, Sendable {
    /// The entries that stand, by position.
    var entries: [Tally.Entry] = []
    /// The first op of every chain on the key: a context that has seen any op has seen one of them.
    private(set) var firsts: [Position] = []

    /// Adds an op, and its entry if that stands.
    mutating func record(_ entry: Tally.Entry, stands: Bool) {
        note(entry.position)
        if stands { entries.insert(inOrder: entry) }
    }

    /// Counts an op as one of the key's.
    mutating func note(_ position: Position) {
        if let place = firsts.firstIndex(where: { $0.chain == position.chain }) {
            firsts[place] = min(firsts[place], position)
        } else {
            firsts.insert(inOrder: position)
        }
    }

    /// The latest amount other than zero by (stamp, position); zero if there is none.
    var amount: Decimal64 {
        var latest: Tally.Entry?
        for entry in entries where entry.amount != .zero {
            guard let known = latest else {
                latest = entry
                continue
            }
            if (entry.stamp, entry.position) > (known.stamp, known.position) { latest = entry }
        }
        return latest?.amount ?? .zero
    }

    /// Returns true when the base has seen an op of the key.
    func isCovered(by base: Tally.Base?) -> Bool {
        guard let base else { return false }
        return firsts.contains { base.context.covers($0) }
    }

    /// Writes the first positions, then [[position, stamp, mantissa, exponent], ...]: two items.
    func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(firsts.count)
        for first in firsts {
            first.write(to: &writer, chains: chains)
        }
        writer.array(entries.count)
        for entry in entries {
            writer.array(4)
            entry.position.write(to: &writer, chains: chains)
            writer.signed(entry.stamp.rawValue)
            entry.amount.writeParts(to: &writer)
        }
    }

    /// Makes the state of a key that nobody wrote.
    init() {}

    /// Reads the two items that `write(to:chains:)` wrote.
    init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        for _ in 0..<(try reader.array(max: .max)) {
            firsts.append(try Position(from: &reader, chains: chains))
        }
        for _ in 0..<(try reader.array(max: .max)) {
            try reader.array(exactly: 4)
            let position = try Position(from: &reader, chains: chains)
            let stamp = try Timestamp(from: &reader)
            let amount = try Decimal64(partsFrom: &reader)
            entries.append(Tally.Entry(position: position, stamp: stamp, amount: amount))
        }
    }

    /// Returns true when ops that the context covers can have brought the account about.
    func isWellFormed(in context: CausalContext) -> Bool {
        !firsts.isEmpty && firsts.isWellFormed(in: context) && entries.isWellFormed(in: context)
            && zip(firsts, firsts.dropFirst()).allSatisfy { $0.chain != $1.chain }
            && entries.allSatisfy { entry in
                firsts.contains { $0.chain == entry.position.chain && $0 <= entry.position }
            }
    }
}

extension Decimal64 {
    /// Writes mantissa and exponent: two items.
    func writeParts(to writer: inout CBORWriter) {
        writer.signed(mantissa)
        writer.signed(Int64(exponent))
    }

    /// Reads the two items of a reduced number.
    init(partsFrom reader: inout CBORReader) throws(WireError) {
        let mantissa = try reader.signed()
        guard let exponent = Int8(exactly: try reader.signed()) else { throw .tooLarge }
        guard let number = Decimal64(mantissa: mantissa, exponent: exponent),
            number.mantissa == mantissa, number.exponent == exponent
        else { throw .nonCanonical }
        self = number
    }
}
