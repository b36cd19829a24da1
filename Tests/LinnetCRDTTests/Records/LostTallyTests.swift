import LinnetWire
import Testing

@testable import LinnetCRDT

/// Entries of a tally in batches that a disk lost.
@Suite struct LostTallyTests {
    private let record: RecordID
    private let collection = Collection(
        id: 2_000, name: "thing", scope: "things",
        fields: [Field(id: 1, name: "stock", kind: .tally, type: .int)])
    private let first = Position(chain: Bytes16(repeating: 7), seq: 1, index: 0)

    private let one: Decimal64

    init() throws {
        record = try #require(RecordID("r"))
        one = try #require(Decimal64(mantissa: 1, exponent: 0))
    }

    private func operation(_ kind: OperationKind, _ payload: [UInt8]) -> Operation {
        Operation(
            collection: 2_000, record: record, generation: 1, field: 1, kind: kind.rawValue,
            stampDelta: 0, payload: payload)
    }

    /// A recount that had seen an entry, and what replaced that entry later.
    private func countAgain(_ state: inout RecordState) {
        var seen = CausalContext()
        seen.insert(first)
        let base = TallyBasePayload(amount: .zero, context: seen).payload
        let entry = TallyEntryPayload(key: "dose", amount: one, observed: [first]).payload
        for (chain, operation) in [
            (UInt8(8), operation(.tallyBase, base)), (9, operation(.tallyEntry, entry)),
        ] {
            let position = Position(chain: Bytes16(repeating: chain), seq: 1, index: 0)
            #expect(state.apply(operation, stamp: .zero, at: position) == .won)
        }
    }

    private func total(_ state: RecordState) throws -> Decimal64? {
        let content = try #require(state.content(of: 1))
        return Tally(content)?.total
    }

    @Test func `a recount covers a key of which the first entry is lost and was replaced`() throws {
        var shown = RecordState(collection: 2_000, record: record)
        var left = shown
        let entry = TallyEntryPayload(key: "dose", amount: one, observed: []).payload
        #expect(
            shown.apply(operation(.tallyEntry, entry), stamp: .zero, at: first) == .won)
        countAgain(&shown)
        countAgain(&left)
        #expect(try total(shown) == .zero && total(left) == one)
        var lost = LostBatches(among: [first.chain])
        lost.insert(first.seq, of: first.chain)
        let found = try shown.salvage(lost, beyond: left, in: collection)
        #expect(found.map(\.position) == [first])
        for salvaged in found {
            let position = try #require(salvaged.position)
            _ = left.apply(salvaged.operation, stamp: .zero, at: position)
        }
        #expect(try total(left) == .zero)
        // Another order of arrival comes to the same.
        var other = RecordState(collection: 2_000, record: record)
        for salvaged in found {
            _ = other.apply(salvaged.operation, stamp: .zero, at: first)
        }
        countAgain(&other)
        #expect(other == left)
    }
}
