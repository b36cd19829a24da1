import LinnetCRDT
import LinnetWire
import Testing

@Suite struct LogEntriesTests {
    struct Seen: Equatable {
        let payloads: [[UInt8]]
        let positions: [Position]
        let isCollision: Bool
    }

    private static var model: KindModel<[UInt8], LogEntries, Seen> {
        KindModel(
            empty: LogEntries(),
            write: { _, _, seeded in [UInt8(seeded.below(4))] },
            apply: { $0.insert($1.op, stamp: $1.stamp, at: $1.position) },
            merge: { $0.merge($1) }, join: { $0.merge($1) },
            seen: { state in
                Seen(
                    payloads: state.entries.map(\.payload),
                    positions: state.entries.map(\.position), isCollision: state.isCollision)
            },
            fold: { ops in
                var firsts: [Stamped<[UInt8]>] = []
                for op in ops.sorted(by: { ($0.stamp, $0.position) < ($1.stamp, $1.position) })
                where !firsts.contains(where: { $0.op == op.op }) {
                    firsts.append(op)
                }
                return Seen(
                    payloads: firsts.map(\.op), positions: firsts.map(\.position),
                    isCollision: firsts.count > 1)
            },
            collectChains: { $0.collectChains(into: &$1) },
            encode: { $0.write(to: &$1, chains: $2) },
            decode: { reader, chains throws(WireError) in
                try LogEntries(from: &reader, chains: chains)
            })
    }

    @Test(arguments: 0..<150) func `every law holds in a random history`(seed: Int) {
        #expect(Self.model.brokenLaws(seed: seed, careless: false) == [])
        #expect(Self.model.brokenLaws(seed: seed, careless: true) == [])
    }

    private static func laws(
        broken change: (inout KindModel<[UInt8], LogEntries, Seen>) -> Void
    ) -> [KindLaw] {
        var model = model
        change(&model)
        return (0..<20).flatMap { model.brokenLaws(seed: $0, careless: false) }
    }

    @Test func `an insert, merge or codec that is wrong is caught`() {
        let decode = Self.model.decode
        let firstCome = Self.laws { model in
            model.apply = { state, op in
                if state.entries.contains(where: { $0.payload == op.op }) { return false }
                return state.insert(op.op, stamp: op.stamp, at: op.position)
            }
        }
        let eager = Self.laws { model in
            model.apply = { state, op in
                _ = state.insert(op.op, stamp: op.stamp, at: op.position)
                return true
            }
        }
        let last = Self.laws { $0.merge = { state, other in state = other } }
        let forgetful = Self.laws { model in
            model.encode = { _, writer, chains in
                LogEntries().write(to: &writer, chains: chains)
            }
        }
        let lenient = Self.laws { model in
            model.decode = { reader, chains throws(WireError) in
                do throws(WireError) {
                    return try decode(&reader, chains)
                } catch {
                    return LogEntries()
                }
            }
        }
        #expect(firstCome.contains(.order) && firstCome.contains(.fold))
        #expect(eager.contains(.again))
        #expect(last.contains(.mergeUnion) && last.contains(.mergeTwice))
        #expect(forgetful.contains(.codec))
        #expect(lenient.contains(.hostile))
    }

    private static func position(_ replica: Int, _ seq: Int) -> Position {
        CausalHistory<[UInt8]>.position(replica, seq, 0)
    }

    private static func stamp(_ milliseconds: Int64) -> Timestamp {
        Timestamp(wallMilliseconds: milliseconds)
    }

    @Test func `the same content written twice is one, with its first author`() {
        var entries = LogEntries()
        _ = entries.insert([7], stamp: Self.stamp(9), at: Self.position(0, 1))
        _ = entries.insert([7], stamp: Self.stamp(5), at: Self.position(1, 1))
        #expect(!entries.isCollision && entries.entries.count == 1)
        #expect(entries.first?.position == Self.position(1, 1))
        #expect(entries.first?.stamp == Self.stamp(5))
    }

    @Test func `two contents under one identifier are both kept and told`() {
        var entries = LogEntries()
        #expect(entries.first == nil && !entries.isCollision)
        _ = entries.insert([1], stamp: Self.stamp(9), at: Self.position(0, 1))
        _ = entries.insert([2], stamp: Self.stamp(5), at: Self.position(1, 1))
        #expect(entries.isCollision && entries.entries.map(\.payload) == [[2], [1]])
        #expect(entries.first?.payload == [2])
    }

    @Test func `contents out of order are refused`() {
        for hex in ["82" + "830200" + "83000100" + "830100" + "83000100", "81" + "830120"] {
            var reader = CBORReader(Hex.decode(hex) ?? [])
            #expect(throws: WireError.self) {
                try LogEntries(from: &reader, chains: [Bytes16(repeating: 1)])
            }
        }
    }
}
