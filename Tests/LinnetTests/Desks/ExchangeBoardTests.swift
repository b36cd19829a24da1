import Testing

@testable import Linnet

struct ExchangeBoardTests {
    private typealias Sight = ExchangeBoard.Sight
    private let board = ExchangeBoard()
    private let whole = ExchangeBoard.exchanging + ExchangeBoard.showing

    private func percent() -> UInt64? { board.work.map { $0.done * 100 / $0.total } }

    @Test func `batches that show at once are done when they are here`() {
        board.beginWatch(Sight(toExchange: 0, stored: 5, hidden: 0))
        #expect(board.work == nil)
        board.see(Sight(toExchange: 10, stored: 5, hidden: 0))
        #expect(percent() == 0)
        board.see(Sight(toExchange: 4, stored: 11, hidden: 0))
        #expect(percent() == 60)
        board.see(Sight(toExchange: 0, stored: 15, hidden: 0))
        #expect(percent() == 100)
        #expect(board.work?.total == 10 * whole)
    }

    @Test func `the batches of a large commit are done when they show`() {
        board.beginWatch(Sight(toExchange: 100, stored: 0, hidden: 0))
        board.see(Sight(toExchange: 50, stored: 50, hidden: 50))
        #expect(board.work?.done == 50 * ExchangeBoard.exchanging)
        // The last ones come in the call that shows all.
        board.see(Sight(toExchange: 2, stored: 98, hidden: 98))
        board.show(0, of: 10, batches: 100)
        #expect(board.work?.done == 100 * ExchangeBoard.exchanging)
        board.show(5, of: 10, batches: 100)
        #expect(
            board.work?.done == 100 * ExchangeBoard.exchanging + 50 * ExchangeBoard.showing)
        board.see(Sight(toExchange: 0, stored: 100, hidden: 0))
        #expect(percent() == 100)
    }

    @Test func `parts that came in an earlier exchange still have to be shown`() {
        board.beginWatch(Sight(toExchange: 40, stored: 60, hidden: 60))
        #expect(board.work?.total == 100 * whole)
        #expect(board.work?.done == 60 * ExchangeBoard.exchanging)
        board.show(10, of: 10, batches: 100)
        #expect(percent() == 100)
    }

    @Test func `a session that ends takes nothing off what is left`() {
        board.beginWatch(Sight(toExchange: nil, stored: 1, hidden: 0))
        #expect(board.work == nil)
        board.see(Sight(toExchange: 10, stored: 1, hidden: 0))
        board.see(Sight(toExchange: 6, stored: 5, hidden: 0))
        board.see(Sight(toExchange: nil, stored: 5, hidden: 0))
        #expect(percent() == 40)
        board.see(Sight(toExchange: nil, stored: 6, hidden: 0))
        #expect(percent() == 50)
        board.see(Sight(toExchange: 0, stored: 11, hidden: 0))
        #expect(percent() == 100)
    }

    @Test func `nobody is watched for once all have gone`() {
        #expect(!board.isWatched)
        board.beginWatch(Sight())
        board.beginWatch(Sight())
        board.endWatch()
        #expect(board.isWatched)
        board.endWatch()
        #expect(!board.isWatched)
    }
}
