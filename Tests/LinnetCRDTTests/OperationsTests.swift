import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct OperationsTests {
    private func operation(
        _ record: String, field: UInt32, _ payload: [UInt8], delta: UInt64 = 0
    ) throws -> LinnetCRDT.Operation {
        LinnetCRDT.Operation(
            collection: 1, record: try #require(RecordID(record)), generation: 1, field: field,
            kind: OperationKind.lwwSet.rawValue, stampDelta: delta, payload: payload)
    }

    @Test func `operations are given back in their order, whatever they share`() throws {
        let list = [
            try operation("a", field: 1, [1]), try operation("a", field: 2, [0x61, 0x62]),
            try operation("b", field: 1, [2], delta: 7), try operation("a", field: 1, [3]),
        ]
        let operations = Operations(list)
        #expect(Array(operations) == list)
        #expect(operations.shapes.count == 2)
        #expect(operations.records.map(\.description) == ["a", "b", "a"])
        #expect(operations.bytes == [1, 0x61, 0x62, 2, 3])
    }

    @Test func `they are equal when every operation is, however they came together`() throws {
        let first = try operation("a", field: 1, [1])
        let second = try operation("a", field: 2, [2])
        var appended = Operations()
        appended.append(first)
        appended.append(second)
        #expect(appended == Operations([first, second]))
        #expect(appended != Operations([second, first]))
        #expect(appended != Operations([first]))
        var writer = ColumnWriter()
        OperationColumns.write(appended, to: &writer)
        var reader = ColumnReader(writer.bytes, allowance: 1_000)
        #expect(try OperationColumns.read(from: &reader) == appended)
    }
}
