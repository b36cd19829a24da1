import LinnetCRDT
import LinnetWire
import Testing

@Suite struct TallyTests {
    enum Change {
        case entry(key: [UInt8], amount: Int, replaced: [Position])
        case base(Int, context: CausalContext)

        var key: [UInt8]? {
            if case .entry(let key, _, _) = self { key } else { nil }
        }
    }

    struct Line: Equatable {
        let key: [UInt8]
        let amount: Int
        let isCovered: Bool
        let positions: [Position]
    }

    struct Seen: Equatable {
        let total: Decimal64
        let lines: [Line]
    }

    private static func decimal(_ number: Int) -> Decimal64 {
        Decimal64(mantissa: Int64(number), exponent: -1) ?? .zero
    }

    /// Amounts are tenths here.
    private static func tenths(_ number: Decimal64) -> Int {
        (-20...200).first { decimal($0) == number } ?? .min
    }

    private static func write(
        _ state: Tally, _ strangers: [Position], _ seeded: inout Seeded
    ) -> Change {
        if seeded.below(6) == 0 {
            var context = state.context
            strangers.forEach { context.insert($0) }
            return .base(seeded.below(100), context: context)
        }
        let key = [UInt8(seeded.below(4))]
        let standing = state.positions(of: key)
        let replaced = seeded.below(6) == 0 ? Array(standing.dropFirst()) : standing
        return .entry(
            key: key, amount: seeded.below(3) == 0 ? 0 : seeded.below(30) - 15,
            replaced: OrderedSet(replaced + strangers).elements)
    }

    private static func apply(_ state: inout Tally, _ op: Stamped<Change>) -> Bool {
        switch op.op {
        case .entry(let key, let amount, let replaced):
            state.setEntry(
                key: key, amount: decimal(amount), replacing: replaced, stamp: op.stamp,
                at: op.position)
        case .base(let value, let context):
            state.setBase(decimal(value), context: context, stamp: op.stamp, at: op.position)
        }
    }

    private static func line(
        _ key: [UInt8], _ ops: [Stamped<Change>], base: CausalContext?
    ) -> Line {
        let ops = ops.filter { $0.op.key == key }
        var standing: [(op: Stamped<Change>, amount: Int)] = []
        for op in ops {
            guard case .entry(_, let amount, _) = op.op else { continue }
            let isReplaced = ops.contains { other in
                if case .entry(_, _, let replaced) = other.op {
                    replaced.contains(op.position)
                } else {
                    false
                }
            }
            if !isReplaced { standing.append((op, amount)) }
        }
        let latest = standing.filter { $0.amount != 0 }
            .max { ($0.op.stamp, $0.op.position) < ($1.op.stamp, $1.op.position) }
        return Line(
            key: key, amount: latest?.amount ?? 0,
            isCovered: ops.contains { base?.covers($0.position) ?? false },
            positions: standing.map(\.op.position).sorted())
    }

    private static func fold(_ ops: [Stamped<Change>]) -> Seen {
        var latest: (op: Stamped<Change>, value: Int, context: CausalContext)?
        for op in ops.sorted(by: { ($0.stamp, $0.position) < ($1.stamp, $1.position) }) {
            if case .base(let value, let context) = op.op { latest = (op, value, context) }
        }
        let keys = OrderedSet(ops.compactMap { $0.op.key.map(ByteString.init) })
        let lines = keys.map { line($0.bytes, ops, base: latest?.context) }
        let counted = lines.filter { !$0.isCovered }.map(\.amount).reduce(0, +)
        return Seen(total: decimal((latest?.value ?? 0) + counted), lines: lines)
    }

    private static var model: KindModel<Change, Tally, Seen> {
        KindModel(
            empty: Tally(), write: { write($0, $1, &$2) }, apply: { apply(&$0, $1) },
            merge: { $0.merge($1) }, join: { $0.join($1) },
            seen: { state in
                Seen(
                    total: state.total,
                    lines: state.keys.map { line in
                        Line(
                            key: line.key, amount: tenths(line.amount),
                            isCovered: line.isCovered, positions: line.entries.map(\.position))
                    })
            },
            fold: { fold($0) }, collectChains: { $0.collectChains(into: &$1) },
            encode: { $0.write(to: &$1, chains: $2) },
            decode: { reader, chains throws(WireError) in
                try Tally(from: &reader, chains: chains)
            })
    }

    @Test(arguments: 0..<150) func `every law holds in a random history`(seed: Int) {
        #expect(Self.model.brokenLaws(seed: seed, careless: false) == [])
        #expect(Self.model.brokenLaws(seed: seed, careless: true) == [])
    }

    private static func laws(
        broken change: (inout KindModel<Change, Tally, Seen>) -> Void
    ) -> [KindLaw] {
        var model = model
        change(&model)
        return (0..<20).flatMap { model.brokenLaws(seed: $0, careless: false) }
    }

    @Test func `an entry that replaces what it had not seen is caught`() {
        let laws = Self.laws { model in
            model.apply = { state, op in
                guard case .entry(let key, let amount, _) = op.op else {
                    return Self.apply(&state, op)
                }
                return state.setEntry(
                    key: key, amount: Self.decimal(amount), replacing: state.positions(of: key),
                    stamp: op.stamp, at: op.position)
            }
        }
        #expect(laws.contains(.order) && laws.contains(.fold))
    }

    @Test func `a recount that covers what stands and not what was seen is caught`() {
        let laws = Self.laws { model in
            let seen = model.seen
            model.seen = { state in
                let lines = seen(state).lines.map { line in
                    let isCovered = line.positions.contains { position in
                        state.base?.context.covers(position) ?? false
                    }
                    return Line(
                        key: line.key, amount: line.amount, isCovered: isCovered,
                        positions: line.positions)
                }
                return Seen(total: state.total, lines: lines)
            }
        }
        #expect(laws.contains(.fold))
    }

    @Test func `an apply, merge, join or codec that is wrong is caught`() {
        let decode = Self.model.decode
        let eager = Self.laws { model in
            model.apply = { state, op in
                _ = Self.apply(&state, op)
                return true
            }
        }
        let last = Self.laws { $0.merge = { state, other in state = other } }
        let partial = Self.laws { model in
            model.merge = { state, other in
                if state.keys.count != 1 { state.merge(other) }
            }
        }
        let mistaken = Self.laws { $0.join = { state, other in state.merge(other) } }
        let forgetful = Self.laws { model in
            model.encode = { _, writer, chains in Tally().write(to: &writer, chains: chains) }
        }
        let lenient = Self.laws { model in
            model.decode = { reader, chains throws(WireError) in
                do throws(WireError) {
                    return try decode(&reader, chains)
                } catch {
                    return Tally()
                }
            }
        }
        #expect(eager.contains(.again))
        #expect(last.contains(.mergeUnion) && last.contains(.mergeTwice))
        #expect(partial.contains(.mergeGroups))
        #expect(mistaken.contains(.join))
        #expect(forgetful.contains(.codec))
        #expect(lenient.contains(.hostile))
    }
}
