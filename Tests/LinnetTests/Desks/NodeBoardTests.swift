import LinnetWire
import Testing

@testable import Linnet

struct NodeBoardTests {
    @Test func `the board shows what was shown last`() throws {
        let device = DeviceID(repeating: 3)
        let first = SchemaFile(try Schema(version: 1, collections: []))
        let home = HomeSchema(file: first, declared: first, isFixed: true, isAssumed: false)
        let board = NodeBoard(device, fingerprint: ["a"], home, unwritable: nil)
        #expect(board.device == device && board.fingerprint == ["a"])
        #expect(board.schema == first && !board.isSchemaAwaited && board.unwritable == nil)
        let second = SchemaFile(try Schema(version: 2, collections: [Schema.items]))
        board.show(HomeSchema(file: second, declared: nil, isFixed: false, isAssumed: false))
        #expect(board.schema == second)
        board.show(unwritable: .missing(path: "/nowhere"))
        #expect(board.unwritable == .missing(path: "/nowhere"))
        board.show(unwritable: nil)
        #expect(board.unwritable == nil)
    }
}
