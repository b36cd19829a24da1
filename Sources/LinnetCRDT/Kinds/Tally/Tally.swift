package import LinnetWire

/// A number that is counted: a base, and keyed amounts that are added to it.
///
/// An entry replaces only those entries of its own key that it lists, so that those its author had
/// not seen stay. The base of a recount absorbs every key of which its author had seen an op. The
/// state is composed of observed-remove registers, one for each key (Shapiro et al., "A
/// comprehensive study of Convergent and Commutative Replicated Data Types", 2011), under a
/// register whose causal context acts as a causal reset does on a counter.
package struct Tally: Equatable, Sendable {
    /// One amount that stands.
    package struct Entry: Equatable, Sendable {
        /// The op that wrote it.
        package let position: Position
        /// The time at which it was written.
        package let stamp: Timestamp
        /// The amount that it adds.
        package let amount: Decimal64
    }

    /// The number that was counted, and the ops that whoever counted had seen.
    package struct Base: Equatable, Sendable {
        /// The number.
        package let value: Decimal64
        /// The time at which it was counted.
        package let stamp: Timestamp
        /// The op that set it.
        package let position: Position
        /// The ops of the field that it takes into account.
        package let context: CausalContext
    }

    /// A key as a reader sees it.
    package struct Line: Equatable, Sendable {
        /// The key's bytes.
        package let key: [UInt8]
        /// The amount that the key adds unless it is covered.
        package let amount: Decimal64
        /// True when the base has taken the key into account.
        package let isCovered: Bool
        /// The entries that stand, by position.
        package let entries: [Entry]
    }

    /// The latest recount; nil before the first.
    package private(set) var base: Base?
    private var accounts = PiecedTable<ByteString, TallyAccount>()
    private var observed = ObservedOps()

    /// The memory of the keys and of what was replaced ahead of time, in bytes, approximately.
    var memory: Int {
        observed.memory + 40 * (base?.context.lasts.count ?? 0)
            + accounts.reduce(0) {
                $0 + 128 + 64 * $1.value.entries.count + 40 * $1.value.firsts.count
            }
    }

    /// Makes a number that nobody counted, which is zero.
    package init() {}

    /// Writes the amount of a key in place of its entries at `replaced`; false if the op was known.
    package mutating func setEntry(
        key: [UInt8], amount: Decimal64, replacing replaced: [Position], stamp: Timestamp,
        at position: Position
    ) -> Bool {
        let key = ByteString(key)
        let arrival = observed.admit(position, of: key)
        guard arrival != .known else { return false }
        let entry = Entry(position: position, stamp: stamp, amount: amount)
        accounts[key, default: TallyAccount()].record(entry, stands: arrival == .standing)
        for other in replaced where observed.replace(other, of: key) {
            accounts[key, default: TallyAccount()].entries.remove(other)
        }
        return true
    }

    /// Sets the number from which entries count; the latest (stamp, position) wins. False if the
    /// op was known.
    package mutating func setBase(
        _ value: Decimal64, context: CausalContext, stamp: Timestamp, at position: Position
    ) -> Bool {
        guard observed.admit(position, of: ByteString([])) != .known else { return false }
        adopt(Base(value: value, stamp: stamp, position: position, context: context))
        return true
    }

    private mutating func adopt(_ other: Base?) {
        guard let other else { return }
        if let base, (base.stamp, base.position) >= (other.stamp, other.position) { return }
        base = other
    }

    /// The sum of the base and the amounts of all keys that it does not cover; see `Decimal64.sum`.
    package var total: Decimal64 {
        var terms: [Decimal64] = []
        terms.reserveCapacity(accounts.count + 1)
        if let base { terms.append(base.value) }
        for (_, account) in accounts where !account.isCovered(by: base) {
            terms.append(account.amount)
        }
        return Decimal64.sum(terms)
    }

    /// The latest amount other than zero that stands for a key; zero if there is none.
    package func amount(of key: [UInt8]) -> Decimal64 {
        accounts[ByteString(key)]?.amount ?? .zero
    }

    /// Returns true when the base's author had seen any op of the key, even one that was replaced
    /// since.
    package func isCovered(_ key: [UInt8]) -> Bool {
        accounts[ByteString(key)]?.isCovered(by: base) ?? false
    }

    /// The entries of a key that the next write of it replaces, ascending.
    package func positions(of key: [UInt8]) -> [Position] {
        accounts[ByteString(key)]?.entries.map(\.position) ?? []
    }

    /// The first op of each chain on a key, ascending.
    func firsts(of key: [UInt8]) -> [Position] { accounts[ByteString(key)]?.firsts ?? [] }

    /// The number of keys that were ever written.
    package var keyCount: Int { accounts.count }

    /// All ops of the field that were applied: the context of the next recount.
    package var context: CausalContext { observed.context }

    /// The keys that were ever written, in bytewise order.
    package var keys: [Line] { accounts.map { line(of: $0.key, $0.value) } }

    /// Returns a key as a reader sees it; nil when it was never written.
    func line(of key: [UInt8]) -> Line? {
        accounts[ByteString(key)].map { line(of: ByteString(key), $0) }
    }

    private func line(of key: ByteString, _ account: TallyAccount) -> Line {
        Line(
            key: key.bytes, amount: account.amount, isCovered: account.isCovered(by: base),
            entries: account.entries)
    }

    /// Merges another state of the same field.
    package mutating func merge(_ other: Tally) {
        combine(other, overlap: .shared)
    }

    /// Adds the content of another generation, which took none of the same ops.
    package mutating func join(_ other: Tally) {
        combine(other, overlap: .disjoint)
    }

    /// Takes out the entries of a key that an entry in another generation names.
    mutating func drop(_ named: [Position], of key: ByteString) {
        guard accounts[key] != nil else { return }
        named.forEach { accounts[key, default: TallyAccount()].entries.remove($0) }
    }

    /// Returns true when an entry of this generation named the one at a position of another
    /// generation.
    func awaits(_ position: Position, of key: ByteString) -> Bool {
        observed.awaits(position, of: key)
    }

    private mutating func combine(_ other: Tally, overlap: Overlap) {
        adopt(other.base)
        var merged = PiecedTable<ByteString, TallyAccount>()
        for key in OrderedSet(accounts.map(\.key) + other.accounts.map(\.key)) {
            var account = accounts[key] ?? TallyAccount()
            let theirs = other.accounts[key] ?? TallyAccount()
            account.entries.merge(
                theirs.entries, of: key, ours: observed, theirs: other.observed,
                overlap: overlap)
            theirs.firsts.forEach { account.note($0) }
            merged.append(account, forLast: key)
        }
        accounts = merged
        observed.merge(other.observed)
    }
}

extension Tally.Entry: Positioned {}

extension Tally {
    /// Appends the chains that `write(to:chains:)` needs in its table.
    package func collectChains(into chains: inout [AuthorID]) {
        observed.collectChains(into: &chains)
        base?.context.collectChains(into: &chains)
    }

    /// Writes [context, awaited, base or null, [[key, [first position, ...], entries], ...]], a
    /// base as [mantissa, exponent, stamp, position, context].
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(4)
        observed.write(to: &writer, chains: chains)
        if let base {
            writer.array(5)
            base.value.writeParts(to: &writer)
            writer.signed(base.stamp.rawValue)
            base.position.write(to: &writer, chains: chains)
            base.context.write(to: &writer, chains: chains)
        } else {
            writer.null()
        }
        writer.array(accounts.count)
        for (key, account) in accounts {
            writer.array(3)
            writer.bytes(key.bytes)
            account.write(to: &writer, chains: chains)
        }
    }

    /// Reads what `write(to:chains:)` wrote, by the same ascending table.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 4)
        observed = try ObservedOps(from: &reader, chains: chains)
        if try reader.peek() == .null {
            try reader.null()
        } else {
            base = try Base(from: &reader, chains: chains)
        }
        if let base, !observed.context.covers(base.position) { throw .nonCanonical }
        for _ in 0..<(try reader.array(max: .max)) {
            try reader.array(exactly: 3)
            let key = ByteString(try reader.bytes())
            if let last = accounts.last, last.key >= key { throw .nonCanonical }
            let account = try TallyAccount(from: &reader, chains: chains)
            guard account.isWellFormed(in: observed.context) else { throw .nonCanonical }
            accounts.append(account, forLast: key)
        }
    }
}

extension Tally.Base {
    fileprivate init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 5)
        let value = try Decimal64(partsFrom: &reader)
        let stamp = try Timestamp(from: &reader)
        let position = try Position(from: &reader, chains: chains)
        let context = try CausalContext(from: &reader, chains: chains)
        self.init(value: value, stamp: stamp, position: position, context: context)
    }
}
