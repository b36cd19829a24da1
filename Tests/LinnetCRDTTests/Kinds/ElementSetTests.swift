import LinnetCRDT
import LinnetWire
import Testing

@Suite struct ElementSetTests {
    struct Change {
        let element: [UInt8]
        let isAddition: Bool
        let listed: [Position]
    }

    private static var model: KindModel<Change, ElementSet, [[UInt8]]> {
        KindModel(
            empty: ElementSet(),
            write: { state, strangers, seeded in
                let element = [0x41, UInt8(0x61 + seeded.below(4))]
                let standing = state.positions(of: element)
                let listed = seeded.below(6) == 0 ? Array(standing.dropFirst()) : standing
                return Change(
                    element: element, isAddition: seeded.below(5) > 1,
                    listed: OrderedSet(listed + strangers).elements)
            },
            apply: { state, op in
                let change = op.op
                return change.isAddition
                    ? state.add(change.element, replacing: change.listed, at: op.position)
                    : state.remove(change.element, observed: change.listed, at: op.position)
            },
            merge: { $0.merge($1) }, join: { $0.join($1) }, seen: \.elements,
            fold: { ops in
                let standing = ops.filter { one in
                    one.op.isAddition
                        && !ops.contains {
                            $0.op.element == one.op.element
                                && $0.op.listed.contains(one.position)
                        }
                }
                return OrderedSet(standing.map { ByteString($0.op.element) }).map(\.bytes)
            },
            collectChains: { $0.collectChains(into: &$1) },
            encode: { $0.write(to: &$1, chains: $2) },
            decode: { reader, chains throws(WireError) in
                try ElementSet(from: &reader, chains: chains)
            })
    }

    @Test(arguments: 0..<150) func `every law holds in a random history`(seed: Int) {
        #expect(Self.model.brokenLaws(seed: seed, careless: false) == [])
        #expect(Self.model.brokenLaws(seed: seed, careless: true) == [])
    }

    private static func laws(
        broken change: (inout KindModel<Change, ElementSet, [[UInt8]]>) -> Void
    ) -> [KindLaw] {
        var model = model
        change(&model)
        return (0..<20).flatMap { model.brokenLaws(seed: $0, careless: false) }
    }

    @Test func `a removal that takes what it had not seen is caught`() {
        let laws = Self.laws { model in
            let apply = model.apply
            model.apply = { state, op in
                if op.op.isAddition { return apply(&state, op) }
                let all = state.positions(of: op.op.element)
                return state.remove(op.op.element, observed: all, at: op.position)
            }
        }
        #expect(laws.contains(.order) && laws.contains(.fold))
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
                if state.elements.count != 1 { state.merge(other) }
            }
        }
        let mistaken = Self.laws { $0.join = { state, other in state.merge(other) } }
        let forgetful = Self.laws { model in
            model.encode = { _, writer, chains in
                ElementSet().write(to: &writer, chains: chains)
            }
        }
        let lenient = Self.laws { model in
            model.decode = { reader, chains throws(WireError) in
                do throws(WireError) {
                    return try decode(&reader, chains)
                } catch {
                    return ElementSet()
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
        CausalHistory<Change>.position(replica, seq, 0)
    }

    @Test func `an addition beats a removal that had not seen it`() {
        var set = ElementSet()
        _ = set.add([1], replacing: [], at: Self.position(0, 1))
        var other = set
        _ = set.add([1], replacing: set.positions(of: [1]), at: Self.position(0, 2))
        _ = other.remove([1], observed: other.positions(of: [1]), at: Self.position(1, 1))
        #expect(set.contains([1]) && !other.contains([1]))
        set.merge(other)
        #expect(set.elements == [[1]] && set.positions(of: [1]) == [Self.position(0, 2)])
    }

    @Test func `a removal takes back every addition that it had seen`() {
        var set = ElementSet()
        _ = set.add([1], replacing: [], at: Self.position(0, 1))
        _ = set.add([1], replacing: [], at: Self.position(1, 1))
        #expect(set.positions(of: [1]).count == 2)
        _ = set.remove([1], observed: set.positions(of: [1]), at: Self.position(0, 2))
        #expect(set.elements.isEmpty && set.context.covers(Self.position(0, 2)))
    }

    @Test func `a removal of one element leaves another that it names alone`() {
        var set = ElementSet()
        _ = set.add([1], replacing: [], at: Self.position(0, 1))
        _ = set.remove([2], observed: [Self.position(0, 1)], at: Self.position(1, 1))
        #expect(set.elements == [[1]])
    }

    @Test func `elements come in the order of their bytes`() {
        var set = ElementSet()
        let elements: [[UInt8]] = [[0x18, 24], [0x01], [0x61, 0x41], [0x00]]
        for (seq, element) in elements.enumerated() {
            _ = set.add(element, replacing: [], at: Self.position(0, seq + 1))
        }
        #expect(set.elements == [[0x00], [0x01], [0x18, 24], [0x61, 0x41]])
    }

    @Test func `an element without an addition, or out of order, is refused`() {
        let (context, dots) = ("81" + "83000300", "81" + "83000100")
        let wrong = [
            "83" + context + "80" + "81" + "82" + "01" + "80",
            "83" + context + "80" + "82" + "82" + "02" + dots + "82" + "01" + dots,
            "83" + context + "80" + "81" + "82" + "01" + "81" + "83000400",
            "83" + context + "81" + "82" + "83000200" + "4101" + "80",
        ]
        for hex in wrong {
            var reader = CBORReader(Hex.decode(hex) ?? [])
            #expect(throws: WireError.nonCanonical) {
                try ElementSet(from: &reader, chains: [Bytes16(repeating: 1)])
            }
        }
    }
}
