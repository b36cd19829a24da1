import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of user infos, and the acknowledgement that it lacks.
@Suite struct UserInfoConformanceTests {
    private func info(_ number: Int, processed: Bool = false) -> AppCommand {
        .transferUserInfo(.numbered(number), TransferOptions(wantsProcessed: processed))
    }

    @Test func `a user info needs an activated session`() throws {
        var ends = try TwoEnds()
        try ends.pair()
        #expect(throws: CompanionError.sessionNotActivated) { try ends.ask(.phone, info(1)) }
    }

    @Test func `user infos may be queued while the counterpart is not reachable`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, info(1))
        #expect(ends.phone.machine.outstandingUserInfoTransfers.count == 1)
        try ends.link()
        #expect(ends.watch.userInfos == [.numbered(1)])
    }

    @Test func `queued user infos go on after the sender's app was suspended or ended`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.watch, info(1))
        try ends.ask(.watch, info(2))
        try ends.give(.watch, .environment(.app(.suspended)))
        try ends.restart(.watch)
        try ends.link()
        #expect(ends.phone.userInfos.compactMap(\.number) == [1, 2])
    }

    @Test func `every user info is delivered, in the order of sending`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        for number in 1...100 { try ends.ask(.phone, info(number)) }
        try ends.link()
        #expect(ends.watch.userInfos.compactMap(\.number) == Array(1...100))
    }

    @Test func `a user info launches the watch's app in the background`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.watch, .environment(.app(.notRunning)))
        try ends.run()
        try ends.ask(.phone, info(1))
        try ends.run()
        #expect(ends.watch.wakes == 1)
        #expect(ends.watch.userInfos == [.numbered(1)])
    }

    @Test func `user infos that came while the app was not running are told when it starts`()
        throws
    {
        var ends = try TwoEnds.together()
        try ends.give(.phone, .environment(.app(.notRunning)))
        try ends.run()
        for number in 1...3 { try ends.ask(.watch, info(number)) }
        try ends.run()
        try ends.restart(.phone)
        #expect(ends.phone.userInfos.isEmpty)
        try ends.launch(.phone)
        #expect(ends.phone.userInfos.compactMap(\.number) == [1, 2, 3])
    }

    @Test func `the sender is told when the receiver's app has a user info`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.phone, .environment(.app(.suspended)))
        try ends.run()
        let id = try ends.ask(.watch, info(1))
        try ends.run()
        #expect(ends.watch.machine.outstandingUserInfoTransfers.map(\.id) == [id])
        #expect(ends.watch.machine.outstandingUserInfoTransfers.first?.isStored ?? false)
        #expect(ends.watch.finished.isEmpty)
        try ends.give(.phone, .environment(.app(.foreground)))
        try ends.run()
        #expect(ends.watch.finished.map(\.transfer.id) == [id])
        #expect(ends.watch.machine.outstandingUserInfoTransfers.isEmpty)
    }

    @Test func `a sender that was not running is told on its next launch`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, info(1))
        try ends.restart(.phone)
        try ends.link()
        #expect(ends.watch.userInfos.count == 1)
        #expect(ends.phone.finished.isEmpty)
        try ends.restart(.phone)
        try ends.launch(.phone)
        #expect(ends.phone.finished.count == 1)
        try ends.restart(.phone)
        try ends.launch(.phone)
        #expect(ends.phone.finished.count == 1)
    }

    @Test func `the outstanding user infos outlast a restart of their sender`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        for number in 1...3 { try ends.ask(.phone, info(number)) }
        let before = ends.phone.machine.outstandingUserInfoTransfers
        try ends.restart(.phone)
        #expect(ends.phone.machine.outstandingUserInfoTransfers == before)
        #expect(before.count == 3)
    }

    @Test func `a cancelled user info is not delivered`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, info(1))
        let second = try #require(try ends.ask(.phone, info(2)))
        try ends.ask(.phone, info(3))
        try ends.ask(.phone, .cancel(second))
        #expect(ends.phone.machine.outstandingUserInfoTransfers.count == 2)
        try ends.link()
        #expect(ends.watch.userInfos.compactMap(\.number) == [1, 3])
    }

    @Test func `a user info that the app was given is never presented again`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.phone, info(1))
        try ends.run()
        try ends.restart(.watch)
        try ends.launch(.watch)
        try ends.link()
        #expect(ends.watch.userInfos.count == 1)
    }

    @Test func `a user info that asks for it is presented after each restart until processed`()
        throws
    {
        var ends = try TwoEnds.together()
        ends.watch.processes = false
        let id = try #require(try ends.ask(.phone, info(1, processed: true)))
        try ends.run()
        #expect(ends.phone.finished.count == 1)
        try ends.restart(.watch)
        try ends.launch(.watch)
        try ends.link()
        #expect(ends.watch.userInfos.count == 2)
        #expect(!ends.phone.told.contains(.transferProcessed(id)))
        try ends.ask(.watch, .processed(id))
        try ends.run()
        #expect(ends.phone.told.contains(.transferProcessed(id)))
        try ends.restart(.watch)
        try ends.launch(.watch)
        #expect(ends.watch.userInfos.count == 2)
    }

    @Test func `the word that a user info was processed outlasts cuts and restarts`() throws {
        var ends = try TwoEnds.together()
        ends.watch.processes = false
        let id = try #require(try ends.ask(.phone, info(1, processed: true)))
        try ends.run()
        try ends.cut()
        try ends.ask(.watch, .processed(id))
        try ends.restart(.phone)
        try ends.restart(.watch)
        try ends.launch(.phone)
        try ends.link()
        #expect(ends.phone.told.filter { $0 == .transferProcessed(id) }.count == 1)
        #expect(ends.phone.finished.count == 1)
    }

    @Test func `a user info of 65,536 bytes passes and a larger one is refused`() throws {
        var ends = try TwoEnds.together()
        let bare = try Payload.encode(.numbered(1, filler: 60_000), max: 65_536).count - 60_000
        let largest = PropertyDictionary.numbered(1, filler: 65_536 - bare)
        try ends.ask(.phone, .transferUserInfo(largest, TransferOptions()))
        try ends.run()
        #expect(ends.watch.userInfos == [largest])
        let larger = PropertyDictionary.numbered(1, filler: 65_537 - bare)
        #expect(throws: CompanionError.payloadTooLarge) {
            try ends.ask(.phone, .transferUserInfo(larger, TransferOptions()))
        }
    }

    @Test func `a counterpart without room refuses a user info`() throws {
        var switches = CompanionSwitches()
        switches.inboxTransfers = 2
        var ends = try TwoEnds.together(switches)
        try ends.give(.phone, .environment(.app(.notRunning)))
        try ends.run()
        for number in 1...3 { try ends.ask(.watch, info(number)) }
        try ends.run()
        #expect(ends.watch.finished.map(\.error) == [.insufficientSpace])
        try ends.launch(.phone)
        #expect(ends.phone.userInfos.compactMap(\.number) == [1, 2])
    }
}
