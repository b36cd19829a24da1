import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

struct CallQueueTests {
    private let link = LinkID(rawValue: 1)

    /// The work of a queue in short: how many effects, or the input.
    private func words(_ work: CallQueue.Work?) -> String {
        switch work {
        case .perform(let effects)?: "\(effects.count) effects"
        case .handle(.linkClosed)?: "closed"
        case .handle(.deadlineReached)?: "deadline"
        case .handle?: "input"
        case nil: "nothing"
        }
    }

    @Test func `effects are performed before the next input is handled`() {
        var queue = CallQueue([.close(link)])
        queue.add(.linkClosed(link))
        queue.add(.deadlineReached)
        queue.add([.close(link)])
        var order = [words(queue.next()), words(queue.next())]
        queue.add([.close(link)])
        order += [words(queue.next()), words(queue.next()), words(queue.next())]
        #expect(order == ["2 effects", "closed", "1 effects", "deadline", "nothing"])
    }

    @Test func `what is being worked off is not begun again`() {
        var queue = CallQueue([])
        let begun = [queue.begin(), queue.begin()]
        #expect(begun == [true, false])
        queue.end()
        let again = queue.begin()
        #expect(again)
    }

    @Test func `after a failure nothing is said of what was not kept`() {
        var queue = CallQueue([.close(link)])
        queue.add(.deadlineReached)
        queue.stumble(.stopped, mayPass: true)
        queue.stumble(.locked, mayPass: false)
        #expect(queue.hasStumbled)
        #expect(words(queue.next()) == "nothing")
        let stumble = queue.takeStumble()
        #expect(stumble?.error == .stopped && stumble?.mayPass == true)
        #expect(words(queue.next()) == "deadline")
        queue.replace([.close(link)])
        queue.clear()
        #expect(words(queue.next()) == "nothing")
    }
}
