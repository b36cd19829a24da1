import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of restarts, and what was chosen where it says nothing.
@Suite struct RestartConformanceTests {
    @Test func `everything that was queued outlasts a restart of both devices`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.ask(.watch, .transferUserInfo(.numbered(2), TransferOptions()))
        try ends.ask(.phone, .updateApplicationContext(.numbered(3), importance: .plan))
        try ends.give(.phone, .environment(.rebooted))
        try ends.give(.watch, .environment(.rebooted))
        try ends.restart(.phone)
        try ends.restart(.watch)
        try ends.give(.phone, .environment(.unlocked))
        try ends.link()
        try ends.launch(.phone)
        try ends.launch(.watch)
        #expect(ends.watch.userInfos == [.numbered(1)])
        #expect(ends.phone.userInfos == [.numbered(2)])
        #expect(ends.watch.contexts == [.numbered(3)])
    }

    @Test func `a phone that was not unlocked since its restart sends and takes nothing`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.ask(.watch, .transferUserInfo(.numbered(2), TransferOptions()))
        try ends.give(.phone, .environment(.rebooted))
        try ends.link()
        try ends.pass(milliseconds: 600_000)
        #expect(ends.watch.userInfos.isEmpty && ends.phone.userInfos.isEmpty)
        #expect(ends.watch.machine.ledger.deferred.map(\.reason) == [.locked])
        try ends.give(.phone, .environment(.unlocked))
        try ends.run()
        try ends.launch(.phone)
        #expect(ends.watch.userInfos == [.numbered(1)])
        #expect(ends.phone.userInfos == [.numbered(2)])
    }

    @Test func `a watch app that is installed anew gets what its predecessor did not hand over`()
        throws
    {
        var ends = try TwoEnds.together()
        try ends.give(.watch, .environment(.app(.notRunning)))
        ends.watch.startsWhenAsked = false
        try ends.run()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.ask(.phone, .updateApplicationContext(.numbered(2), importance: .plan))
        try ends.run()
        try ends.cut()
        ends.watch.rows = [:]
        try ends.watch.reopen(installation: 33)
        try ends.give(.watch, .environment(.paired(ends.phone.device)))
        try ends.launch(.watch)
        try ends.link()
        #expect(ends.watch.userInfos == [.numbered(1)])
        #expect(ends.watch.contexts == [.numbered(2)])
        #expect(ends.phone.finished.count == 1)
    }

    @Test func `a phone app that is installed anew starts numbering anew and is understood`() throws
    {
        var ends = try TwoEnds.together()
        for number in 1...3 {
            try ends.ask(.phone, .transferUserInfo(.numbered(number), TransferOptions()))
        }
        try ends.run()
        try ends.cut()
        ends.phone.rows = [:]
        try ends.phone.reopen(installation: 44)
        try ends.give(.phone, .environment(.paired(ends.watch.device)))
        try ends.launch(.phone)
        try ends.link()
        try ends.ask(.phone, .transferUserInfo(.numbered(4), TransferOptions()))
        try ends.run()
        #expect(ends.watch.userInfos.compactMap(\.number) == [1, 2, 3, 4])
    }
}
