import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The parts of a base apart: how records are sealed, and how they come in pieces.
@Suite struct BaseTests {
    private let fleet = Fleet()

    private func sealer() throws -> BaseSealer {
        let device = try fleet.group(["a"])[0]
        guard let group = device.replica?.group else { throw Device.Closed() }
        return BaseSealer(group: group)
    }

    private func name(_ id: String) throws -> RecordName {
        RecordName(collection: 1_000, id: try #require(RecordID(id)))
    }

    private func state(_ id: String) throws -> RecordState {
        var state = RecordState(collection: 1_000, record: try #require(RecordID(id)))
        _ = state.apply(
            Operation(
                collection: 1_000, record: state.record, generation: 1, field: 1,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0, payload: [0xf6]),
            stamp: .zero, at: Position(chain: .zero, seq: 1, index: 0))
        return state
    }

    /// Any batch, to stand for one at a floor.
    private func batch() throws -> SealedBatch {
        let device = try Fleet().group(["b"])[0]
        guard let store = device.replica?.storeForReading, let row = try store.chains().first,
            let stored = try store.batch(chain: row.index, seq: 1)
        else { throw Device.Closed() }
        return SealedBatch(stored, in: row, of: device.replica?.groupID)
    }

    @Test func `a record is sealed the same twice, and opens in its place alone`() throws {
        let sealer = try sealer()
        let scope = Bytes16(repeating: 1)
        let content = RecordRow.encode(try state("r"))
        let row = try #require(try sealer.seal(content, of: name("r"), in: scope))
        #expect(try sealer.seal(content, of: name("r"), in: scope) == row)
        #expect(try sealer.open(row) == state("r"))
        let moved = [
            BaseRow(name: try name("s"), scope: scope, sealed: row.sealed),
            BaseRow(name: row.name, scope: Bytes16(repeating: 2), sealed: row.sealed),
            BaseRow(name: row.name, scope: scope, sealed: Array(row.sealed.dropLast())),
            BaseRow(name: row.name, scope: scope, sealed: []),
        ]
        for row in moved {
            #expect(throws: StorageError.corrupt(where: "bases")) { try sealer.open(row) }
        }
    }

    @Test func `floors may not rise while a peer takes what is below them`() {
        var serving = BaseServing()
        #expect(!serving.isUnderWay)
        serving.isDue = true
        serving.begin(BaseOffer(floors: [], records: 0, bytes: 0), named: .zero)
        #expect(serving.isUnderWay && !serving.isDue)
        serving.end()
        #expect(!serving.isUnderWay && serving.id == nil)
    }

    @Test func `pieces of a record join, and what does not come next is refused`() throws {
        let scope = Bytes16(repeating: 1)
        let offer = BaseOffer(floors: [], records: 0, bytes: 0)
        func piece(_ id: String, _ bytes: [UInt8], of length: Int) throws -> BasePartMessage.Piece {
            BasePartMessage.Piece(
                key: RecordKey(collection: 1_000, record: try #require(RecordID(id))),
                scope: scope, length: length, bytes: bytes)
        }
        let floors = [
            BaseFloor(key: ChainKey(scope: scope, chain: .zero), seq: 1, id: .zero)
        ]
        var none = BaseArrival(offer: offer, id: .zero)
        #expect(throws: SessionFault.violation) { _ = try none.take(piece("a", [1], of: 1)) }
        var arrival = BaseArrival(
            offer: BaseOffer(floors: floors, records: 1, bytes: 1), id: .zero)
        // The batches at the floors come first.
        #expect(throws: SessionFault.violation) { _ = try arrival.take(piece("a", [1], of: 1)) }
        #expect(arrival.question.batches == 0)
        arrival = BaseArrival(
            offer: BaseOffer(floors: floors, records: 1, bytes: 1), id: .zero,
            batches: [try batch()])
        #expect(try arrival.take(piece("a", [1, 2], of: 3)) == nil)
        #expect(arrival.question.offset == 2 && arrival.question.after == nil)
        // Another record before the rest of this one.
        #expect(throws: SessionFault.violation) { _ = try arrival.take(piece("b", [1], of: 1)) }
        #expect(try arrival.take(piece("a", [3], of: 3))?.bytes == [1, 2, 3])
        #expect(throws: SessionFault.violation) { _ = try arrival.take(piece("a", [1], of: 1)) }
        arrival.bytes = Limits.receivedBytes
        #expect(throws: SessionFault.violation) { _ = try arrival.take(piece("c", [1], of: 1)) }
    }

    @Test func `a part has room for so many bytes, and a record is at most so long`() throws {
        let key = RecordKey(collection: 7, record: try #require(RecordID("r")))
        func part(_ bytes: Int, of length: Int) -> [UInt8] {
            BasePartMessage(
                base: .zero, batches: [],
                pieces: [
                    .init(
                        key: key, scope: .zero, length: length,
                        bytes: [UInt8](repeating: 1, count: bytes))
                ], isLast: false
            ).encode()
        }
        let (most, longest) = (Limits.basePartBytes, Limits.baseRecordBytes)
        #expect(try BasePartMessage.decode(part(most, of: longest)).pieces.count == 1)
        #expect(throws: WireError.self) { try BasePartMessage.decode(part(most + 1, of: longest)) }
        #expect(throws: WireError.self) { try BasePartMessage.decode(part(1, of: longest + 1)) }
        #expect(throws: WireError.self) { try BasePartMessage.decode(part(2, of: 1)) }
    }

    @Test func `the builder ends a step after so many changes, between two commits`() throws {
        let fleet = Fleet()
        let devices = try fleet.group(["a", "b"])
        for number in 0..<400 {
            try devices[0].set("r\(number % 7)", 1, .text("\(number)"), at: fleet.now)
        }
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        guard
            let (step, _) = try devices[0].replica?.compact(at: fleet.now)
        else { throw Device.Closed() }
        #expect(!step.isDone)
        // A batch costs as much as 24 changes.
        #expect(abs(step.batches - Limits.compactedOperations / 25) <= 2)
        #expect(try devices[0].compact(fleet, operations: .max).batches > 200)
        guard let log = devices[0].replica?.log else { throw Device.Closed() }
        // Nothing is wanted of any chain.
        var builder = BaseBuilder(
            OrderedTable(), most: OrderedTable(), andPast: false, keptFrom: .ceiling,
            held: .everything, log, .standard)
        let hasMore = try builder.run(log, operations: 9)
        #expect(!hasMore && builder.batches == 0 && builder.fold.keys.isEmpty)
    }

    @Test func `messages read back`() throws {
        let scope = Bytes16(repeating: 1)
        let key = RecordKey(collection: 7, record: try #require(RecordID("r")))
        let offer = BaseOffer(
            floors: [BaseFloor(key: ChainKey(scope: scope, chain: .zero), seq: 4, id: .zero)],
            records: 3, bytes: 4)
        #expect(try BaseOffer.decode(offer.encode()) == offer)
        for after in [nil, key] {
            let question = BaseGetMessage(base: scope, batches: 2, after: after, offset: 9)
            #expect(try BaseGetMessage.decode(question.encode()) == question)
        }
        let part = BasePartMessage(
            base: scope, batches: [[1, 2]],
            pieces: [.init(key: key, scope: scope, length: 9, bytes: [1])], isLast: false)
        #expect(try BasePartMessage.decode(part.encode()) == part)
    }
}
