import LinnetWire
import Testing

@testable import Linnet

/// The calls that wait at an `ExchangeDesk`: those of `Synchronisation` and of `Certification`.
@Suite(.timeLimit(.minutes(5)))
struct ExchangeDeskTests {
    private let phone = DeviceID(repeating: 1)
    private let watch = DeviceID(repeating: 2)

    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
    }

    @Test func `the first call that has waited too long is told what it lacked`() async {
        let result = await withCheckedContinuation { continuation in
            var desk = ExchangeDesk()
            #expect(desk.nextDeadline == nil)
            desk.synchronisation.wait(until: 500, reaching: [], continuation)
            #expect(desk.nextDeadline == 500)
            #expect(desk.fire(at: moment(499)) == [])
            #expect(desk.fire(at: moment(500)) == [.synchronisation])
            desk.synchronisation.expire(
                at: 500, connected: [phone], damaged: [], why: ["the phone lacks 1 batch"])
            #expect(desk.nextDeadline == nil)
        }
        #expect(result == .failure(.timedOut(why: ["the phone lacks 1 batch"])))
    }

    @Test func `a call ends when those it named and all who are connected are in step`() async {
        let result = await withCheckedContinuation { continuation in
            var desk = ExchangeDesk()
            let target = DialTarget.peer("192.0.2.1:1")
            desk.synchronisation.wait(until: 500, reaching: [target], continuation)
            desk.synchronisation.check(connected: [phone], inStep: [phone])
            #expect(desk.synchronisation.isWaiting)
            desk.synchronisation.note { $0 == target }
            desk.synchronisation.check(connected: [phone, watch], inStep: [phone])
            #expect(desk.synchronisation.isWaiting)
            desk.synchronisation.check(connected: [phone, watch], inStep: [watch, phone])
            #expect(!desk.synchronisation.isWaiting)
        }
        #expect(result == .success([phone, watch]))
    }

    @Test func `a call whose named peer is out of the group says so once the others are in step`()
        async
    {
        let error = LinnetError.outOfGroup("Watch at 192.0.2.1:1")
        let result = await withCheckedContinuation { continuation in
            var desk = ExchangeDesk()
            let target = DialTarget.peer("192.0.2.1:1")
            desk.synchronisation.wait(until: 500, reaching: [target], continuation)
            desk.synchronisation.refused(nil, .disowned("192.0.2.2:1"))
            desk.synchronisation.check(connected: [], inStep: [])
            #expect(desk.synchronisation.isWaiting)
            desk.synchronisation.refused(target, error)
            desk.synchronisation.check(connected: [phone], inStep: [])
            #expect(desk.synchronisation.isWaiting)
            desk.synchronisation.check(connected: [phone], inStep: [phone])
            #expect(!desk.synchronisation.isWaiting)
        }
        #expect(result == .failure(error))
    }

    @Test func `a call for anybody waits for a member, and names who was reached instead`() async {
        let error = LinnetError.outOfGroup("Watch at 192.0.2.1:1")
        let result = await withCheckedContinuation { continuation in
            var desk = ExchangeDesk()
            desk.synchronisation.wait(until: 500, reaching: [], continuation)
            desk.synchronisation.refused(nil, error)
            desk.synchronisation.check(connected: [], inStep: [])
            #expect(desk.synchronisation.isWaiting)
            desk.synchronisation.expire(at: 500, connected: [], damaged: [], why: [])
        }
        #expect(result == .failure(error))
    }

    @Test func `certificates wait for their own time`() async {
        let result = await withCheckedContinuation { continuation in
            var desk = ExchangeDesk()
            desk.certification.wait(until: 300, continuation)
            #expect(desk.nextDeadline == 300)
            #expect(desk.fire(at: moment(300)) == [.certification])
            desk.certification.expire(at: 299, why: [])
            #expect(desk.certification.isWaiting)
            desk.finish(.locked)
            #expect(!desk.certification.isWaiting)
        }
        #expect(throws: LinnetError.locked) { try result.get() }
    }
}
