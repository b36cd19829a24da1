import LinnetCRDT
import LinnetWire
import Testing

@Suite struct MultiValueTests {
    struct Write {
        let value: [UInt8]
        let replaced: [Position]
    }

    struct Seen: Equatable {
        let values: [[UInt8]]
        let isOverfull: Bool
        let positions: [Position]
    }

    private static var model: KindModel<Write, MultiValue, Seen> {
        KindModel(
            empty: MultiValue(),
            write: { state, strangers, seeded in
                // Half the writers look at a part of what stands, so that values pile up.
                let known = state.positions.filter { _ in seeded.below(8) > 0 }
                let replaced = seeded.below(2) == 0 ? known : []
                return Write(
                    value: [UInt8(seeded.below(20))],
                    replaced: OrderedSet(replaced + strangers).elements)
            },
            apply: { state, op in
                state.set(
                    op.op.value, replacing: op.op.replaced, stamp: op.stamp, at: op.position)
            },
            merge: { $0.merge($1) }, join: { $0.join($1) },
            seen: { state in
                Seen(
                    values: state.visible.map(\.payload), isOverfull: state.isOverfull,
                    positions: state.positions)
            },
            fold: { ops in
                let standing = ops.filter { one in
                    !ops.contains { $0.op.replaced.contains(one.position) }
                }
                let latestFirst = standing.sorted {
                    ($1.stamp, $1.position) < ($0.stamp, $0.position)
                }
                var values: [[UInt8]] = []
                for one in latestFirst where !values.contains(one.op.value) {
                    values.append(one.op.value)
                }
                return Seen(
                    values: Array(values.prefix(8)), isOverfull: values.count > 8,
                    positions: standing.map(\.position).sorted())
            },
            collectChains: { $0.collectChains(into: &$1) },
            encode: { $0.write(to: &$1, chains: $2) },
            decode: { reader, chains throws(WireError) in
                try MultiValue(from: &reader, chains: chains)
            })
    }

    @Test(arguments: 0..<150) func `every law holds in a random history`(seed: Int) {
        #expect(Self.model.brokenLaws(seed: seed, careless: false) == [])
        #expect(Self.model.brokenLaws(seed: seed, careless: true) == [])
    }

    private static func laws(
        broken change: (inout KindModel<Write, MultiValue, Seen>) -> Void
    ) -> [KindLaw] {
        var model = model
        change(&model)
        return (0..<20).flatMap { model.brokenLaws(seed: $0, careless: false) }
    }

    @Test func `a write that clears what it had not seen is caught`() {
        let laws = Self.laws { model in
            model.apply = { state, op in
                state.set(
                    op.op.value, replacing: state.positions, stamp: op.stamp, at: op.position)
            }
        }
        #expect(laws.contains(.order) && laws.contains(.fold))
    }

    @Test func `a write that forgets what it replaces ahead of time is caught`() {
        var model = Self.model
        model.apply = { state, op in
            let known = op.op.replaced.filter(state.context.covers)
            return state.set(op.op.value, replacing: known, stamp: op.stamp, at: op.position)
        }
        let laws = (0..<20).flatMap { model.brokenLaws(seed: $0, careless: true) }
        #expect(laws.contains(.order) && laws.contains(.mergeUnion))
    }

    @Test func `an apply, merge, join or codec that is wrong is caught`() {
        let (apply, decode) = (Self.model.apply, Self.model.decode)
        let eager = Self.laws { model in
            model.apply = { state, op in
                _ = apply(&state, op)
                return true
            }
        }
        let last = Self.laws { $0.merge = { state, other in state = other } }
        let partial = Self.laws { model in
            model.merge = { state, other in
                if state.positions.count != 1 { state.merge(other) }
            }
        }
        let mistaken = Self.laws { $0.join = { state, other in state.merge(other) } }
        let forgetful = Self.laws { model in
            model.encode = { state, writer, chains in
                MultiValue().write(to: &writer, chains: chains)
            }
        }
        let lenient = Self.laws { model in
            model.decode = { reader, chains throws(WireError) in
                do throws(WireError) {
                    return try decode(&reader, chains)
                } catch {
                    return MultiValue()
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

    private static func position(_ replica: Int, _ seq: Int) -> Position {
        CausalHistory<Write>.position(replica, seq, 0)
    }

    private static func stamp(_ milliseconds: Int64) -> Timestamp {
        Timestamp(wallMilliseconds: milliseconds)
    }

    @Test func `two values written apart are both shown, the later one first`() {
        var field = MultiValue()
        _ = field.set([1], replacing: [], stamp: Self.stamp(5), at: Self.position(0, 1))
        _ = field.set([2], replacing: [], stamp: Self.stamp(9), at: Self.position(1, 1))
        #expect(field.visible.map(\.payload) == [[2], [1]])
        #expect(field.positions == [Self.position(0, 1), Self.position(1, 1)])
    }

    @Test func `what two wrote apart and alike is one value, until a write replaces both`() {
        var field = MultiValue()
        _ = field.set([1], replacing: [], stamp: Self.stamp(5), at: Self.position(0, 1))
        _ = field.set([2], replacing: [], stamp: Self.stamp(7), at: Self.position(1, 1))
        _ = field.set([1], replacing: [], stamp: Self.stamp(9), at: Self.position(2, 1))
        #expect(field.visible.map(\.payload) == [[1], [2]])
        #expect(field.visible.map(\.stamp) == [Self.stamp(9), Self.stamp(7)])
        _ = field.set(
            [3], replacing: field.positions, stamp: Self.stamp(1), at: Self.position(0, 2))
        #expect(field.visible.map(\.payload) == [[3]])
    }

    @Test func `a write replaces the values it had seen, whatever the clocks say`() {
        var field = MultiValue()
        _ = field.set([1], replacing: [], stamp: Self.stamp(5), at: Self.position(0, 1))
        _ = field.set([2], replacing: [], stamp: Self.stamp(9), at: Self.position(1, 1))
        _ = field.set(
            [3], replacing: field.positions, stamp: Self.stamp(1), at: Self.position(2, 1))
        _ = field.set([4], replacing: [], stamp: Self.stamp(0), at: Self.position(3, 1))
        #expect(field.visible.map(\.payload) == [[3], [4]])
    }

    @Test func `a ninth concurrent value is kept but not shown`() {
        var field = MultiValue()
        for replica in 0..<9 {
            #expect(!field.isOverfull)
            _ = field.set(
                [UInt8(replica)], replacing: [], stamp: Self.stamp(Int64(replica)),
                at: Self.position(replica, 1))
        }
        #expect(field.isOverfull && field.positions.count == 9)
        #expect(field.visible.map(\.payload) == (1...8).reversed().map { [UInt8($0)] })
    }

    @Test func `what was replaced before it came never shows`() {
        var field = MultiValue()
        _ = field.set(
            [1], replacing: [Self.position(1, 2)], stamp: .zero, at: Self.position(0, 1))
        let isNew = field.set([2], replacing: [], stamp: .zero, at: Self.position(1, 2))
        #expect(isNew)
        #expect(field.visible.map(\.payload) == [[1]])
    }

    @Test func `an entry that the context does not cover is refused`() {
        let hex = "83" + "80" + "80" + "81" + "83" + "83000100" + "00" + "01"
        var reader = CBORReader(Hex.decode(hex) ?? [])
        #expect(throws: WireError.nonCanonical) {
            try MultiValue(from: &reader, chains: [Bytes16(repeating: 1)])
        }
    }
}
