import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of `isReachable`.
@Suite struct ReachabilityConformanceTests {
    @Test(arguments: AppState.allCases)
    func `the watch reaches the phone while its app is on screen or has high priority`(
        _ state: AppState
    ) throws {
        var ends = try TwoEnds.together()
        try ends.give(.watch, .environment(.app(state)))
        if state == .notRunning { try ends.launch(.watch, .background) }
        let expected = state == .foreground || state == .highPriority
        #expect(ends.watch.machine.isReachable == expected)
    }

    @Test(arguments: AppState.allCases)
    func `the watch reaches the phone whatever the phone's app does`(_ state: AppState) throws {
        var ends = try TwoEnds.together()
        try ends.give(.phone, .environment(.app(state)))
        try ends.run()
        #expect(ends.watch.machine.isReachable)
    }

    @Test(arguments: AppState.allCases)
    func `the phone reaches a watch whose app runs and itself reaches the phone`(
        _ state: AppState
    ) throws {
        var ends = try TwoEnds.together()
        try ends.give(.watch, .environment(.app(state)))
        try ends.run()
        let expected = state == .foreground || state == .highPriority
        #expect(ends.phone.machine.isReachable == expected)
    }

    @Test func `nothing is reachable out of range`() throws {
        var ends = try TwoEnds.together()
        #expect(ends.phone.machine.isReachable && ends.watch.machine.isReachable)
        try ends.cut()
        #expect(!ends.phone.machine.isReachable && !ends.watch.machine.isReachable)
    }

    @Test func `the two ends may differ`() {
        #expect(
            Reachability.fromWatch(
                isLinkUp: true, watchApp: .foreground, isPhoneAppInstalled: true,
                isPhoneLocked: false))
        #expect(
            !Reachability.fromPhone(
                isPaired: true, isLinkUp: true, watchApp: .suspended, isReachableFromWatch: true))
        #expect(
            !Reachability.fromPhone(
                isPaired: false, isLinkUp: true, watchApp: .foreground,
                isReachableFromWatch: true))
    }

    @Test func `a phone that restarted is not reachable until it is unlocked once`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.give(.phone, .environment(.rebooted))
        try ends.restart(.phone)
        try ends.link()
        #expect(!ends.watch.machine.isReachable)
        #expect(ends.watch.machine.needsUnlockAfterReboot)
        try ends.give(.phone, .environment(.unlocked))
        try ends.run()
        #expect(ends.watch.machine.isReachable)
        #expect(!ends.watch.machine.needsUnlockAfterReboot)
    }

    @Test func `a change of reachability is told, and the property is what counts`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        #expect(ends.watch.told == [.reachabilityDidChange])
        #expect(!ends.watch.machine.isReachable)
    }

    @Test func `a change undone within two seconds is missed under that fault`() throws {
        var switches = CompanionSwitches()
        switches.faults = .missedReachabilityCallback
        var ends = try TwoEnds.together(switches)
        try ends.pass(milliseconds: 10_000)
        ends.phone.told = []
        try ends.give(.watch, .environment(.app(.background)))
        try ends.run()
        #expect(!ends.phone.machine.isReachable)
        try ends.pass(milliseconds: 1_500)
        try ends.give(.watch, .environment(.app(.foreground)))
        try ends.run()
        try ends.pass(milliseconds: 10_000)
        #expect(ends.phone.told.isEmpty)
        try ends.give(.watch, .environment(.app(.background)))
        try ends.run()
        try ends.pass(milliseconds: 10_000)
        #expect(ends.phone.told == [.reachabilityDidChange])
    }

    @Test func `messages time out although the counterpart is reachable under that fault`() throws {
        var switches = CompanionSwitches()
        switches.faults = .reachableButTimingOut
        var ends = try TwoEnds.together(switches)
        try ends.ask(.watch, .sendMessage(.data([1]), expectsReply: true))
        try ends.run()
        try ends.pass(milliseconds: 100_000)
        #expect(ends.watch.machine.isReachable)
        #expect(ends.watch.outcomes == [.unknown(.messageReplyTimedOut)])
        #expect(ends.phone.messages.isEmpty)
    }

    @Test func `a reply comes too late under that fault, after the message had its effect`() throws
    {
        var switches = CompanionSwitches()
        switches.faults = .replyTooLate
        var ends = try TwoEnds.together(switches)
        try ends.ask(.watch, .sendMessage(.data([1]), expectsReply: true))
        try ends.run()
        try ends.pass(milliseconds: 100_000)
        #expect(ends.phone.messages == [.data([1])])
        #expect(ends.watch.outcomes == [.unknown(.messageReplyTimedOut)])
    }

    @Test func `a queue is stuck until the next enqueue or a restart under that fault`() throws {
        var switches = CompanionSwitches()
        switches.faults = .stuckQueueUntilNextEnqueueOrRestart
        var ends = try TwoEnds.together(switches)
        let info = { (number: Int) in
            AppCommand.transferUserInfo(.numbered(number), TransferOptions())
        }
        try ends.ask(.phone, info(1))
        try ends.cut()
        try ends.link()
        #expect(ends.watch.userInfos.isEmpty)
        #expect(ends.phone.machine.ledger.deferred.map(\.reason) == [.stuckQueue])
        try ends.ask(.phone, info(2))
        try ends.run()
        #expect(ends.watch.userInfos.compactMap(\.number) == [1, 2])
        try ends.ask(.phone, info(3))
        try ends.cut()
        try ends.link()
        #expect(ends.watch.userInfos.count == 2)
        try ends.restart(.phone)
        try ends.link()
        #expect(ends.watch.userInfos.count == 3)
    }
}
