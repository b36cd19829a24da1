import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of live messages.
@Suite struct LiveMessageConformanceTests {
    private func message(_ number: Int) -> AppCommand {
        .sendMessage(.dictionary(.numbered(number)), expectsReply: true)
    }

    @Test func `a message needs an activated session`() throws {
        var ends = try TwoEnds()
        try ends.pair()
        #expect(throws: CompanionError.sessionNotActivated) { try ends.ask(.watch, message(1)) }
    }

    @Test func `a message to a counterpart that is not reachable fails`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.watch, message(1))
        #expect(ends.watch.outcomes == [.failed(.notReachable)])
    }

    @Test func `a message that has not left when its app ends is never sent`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.watch, message(1))
        // Serial: the second one waits for the first.
        try ends.ask(.watch, message(2))
        try ends.give(.watch, .environment(.app(.notRunning)))
        try ends.launch(.watch)
        try ends.run()
        #expect(ends.phone.messages == [.dictionary(.numbered(1))])
    }

    @Test func `messages arrive one after the other in the order in which they were sent`() throws {
        var ends = try TwoEnds.together()
        for number in 1...20 { try ends.ask(.watch, message(number)) }
        try ends.run()
        #expect(ends.phone.messages == (1...20).map { .dictionary(.numbered($0)) })
    }

    @Test func `a message from the watch launches the phone's app in the background`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.phone, .environment(.app(.notRunning)))
        try ends.run()
        #expect(ends.watch.machine.isReachable)
        try ends.ask(.watch, message(1))
        try ends.run()
        #expect(ends.phone.wakes == 1)
        #expect(ends.phone.machine.appState == .background)
        #expect(ends.watch.outcomes == [.replied(.dictionary(["ok": .bool(true)]))])
    }

    @Test func `a message from the phone does not launch the watch's app`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.watch, .environment(.app(.notRunning)))
        try ends.run()
        try ends.ask(.phone, message(1))
        try ends.run()
        #expect(ends.watch.wakes == 0)
        #expect(ends.phone.outcomes == [.failed(.notReachable)])
    }

    @Test func `exactly one of reply and error comes back for each message`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.watch, message(1))
        try ends.run()
        try ends.pass(milliseconds: 300_000)
        ends.phone.reply = nil
        try ends.ask(.watch, message(2))
        try ends.run()
        try ends.pass(milliseconds: 300_000)
        try ends.cut()
        #expect(
            ends.watch.outcomes == [
                .replied(.dictionary(["ok": .bool(true)])), .unknown(.messageReplyTimedOut),
            ])
    }

    @Test func `a message can be answered once`() throws {
        var ends = try TwoEnds.together()
        let id = try #require(try ends.ask(.watch, message(1)))
        try ends.run()
        #expect(throws: CompanionError.invalidParameter) {
            try ends.ask(.phone, .reply(to: id, .data([1])))
        }
    }

    @Test func `a reply that takes too long is an error, and what comes later is dropped`() throws {
        var ends = try TwoEnds.together()
        ends.phone.reply = nil
        let id = try #require(try ends.ask(.watch, message(1)))
        try ends.run()
        try ends.pass(milliseconds: 61_000)
        #expect(ends.watch.outcomes == [.unknown(.messageReplyTimedOut)])
        try ends.ask(.phone, .reply(to: id, .data([1])))
        try ends.run()
        #expect(ends.watch.outcomes.count == 1)
    }

    @Test func `a message whose receiver ends without a reply is an error`() throws {
        var ends = try TwoEnds.together()
        ends.phone.reply = nil
        try ends.ask(.watch, message(1))
        try ends.run()
        try ends.give(.phone, .environment(.app(.notRunning)))
        try ends.run()
        #expect(ends.watch.outcomes == [.unknown(.messageReplyFailed)])
    }

    @Test func `a message that left has an unknown outcome, one that did not has failed`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.watch, message(1))
        try ends.ask(.watch, message(2))
        try ends.cut()
        #expect(ends.watch.outcomes == [.unknown(.deliveryFailed), .failed(.notReachable)])
    }

    @Test func `a message without a reply handler ends when it is delivered`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.phone, .sendMessage(.data([1, 2]), expectsReply: false))
        try ends.run()
        #expect(ends.watch.messages == [.data([1, 2])])
        #expect(ends.phone.outcomes == [.delivered])
    }

    @Test func `a message of 65,536 bytes passes and a larger one is refused`() throws {
        var ends = try TwoEnds.together()
        let largest = [UInt8](repeating: 1, count: 65_536)
        try ends.ask(.watch, .sendMessage(.data(largest), expectsReply: true))
        try ends.run()
        #expect(ends.phone.messages == [.data(largest)])
        #expect(throws: CompanionError.payloadTooLarge) {
            try ends.ask(.watch, .sendMessage(.data(largest + [1]), expectsReply: true))
        }
    }

    @Test func `a payload that is no property list is refused`() throws {
        var ends = try TwoEnds.together()
        let payload: PropertyDictionary = ["a": .real(.nan)]
        #expect(throws: CompanionError.payloadUnsupportedTypes) {
            try ends.ask(.watch, .sendMessage(.dictionary(payload), expectsReply: true))
        }
        #expect(throws: CompanionError.payloadUnsupportedTypes) {
            try ends.ask(.watch, .updateApplicationContext(payload, importance: .plan))
        }
        #expect(throws: CompanionError.payloadUnsupportedTypes) {
            try ends.ask(.watch, .transferUserInfo(payload, TransferOptions()))
        }
    }

    @Test func `all delegate calls come one after the other in one order`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, .updateApplicationContext(.numbered(1), importance: .plan))
        try ends.ask(.phone, .transferUserInfo(.numbered(2), TransferOptions()))
        try ends.link()
        try ends.ask(.phone, message(3))
        try ends.run()
        // A machine's effects are one sequence: what it tells is in it, between its rows.
        let told = ends.watch.effects.compactMap { effect -> CompanionEvent? in
            if case .tell(let event) = effect { event } else { nil }
        }
        #expect(told.suffix(ends.watch.told.count) == ends.watch.told[...])
        #expect(ends.watch.contexts.count == 1)
        #expect(ends.watch.userInfos.count == 1)
        #expect(ends.watch.messages.count == 1)
    }
}
