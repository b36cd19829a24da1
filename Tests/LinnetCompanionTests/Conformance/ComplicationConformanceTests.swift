import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of transfers for the watch face.
@Suite struct ComplicationConformanceTests {
    private func face(_ number: Int) -> AppCommand {
        .transferCurrentComplicationUserInfo(
            .numbered(number), TransferOptions(importance: .safety))
    }

    private func onFace(_ switches: CompanionSwitches = CompanionSwitches()) throws -> TwoEnds {
        var ends = try TwoEnds.together(switches)
        try ends.give(.watch, .environment(.complication(.activeFace)))
        try ends.run()
        return ends
    }

    @Test func `transfers for the face exist on the phone alone`() throws {
        var ends = try onFace()
        #expect(throws: CompanionError.invalidParameter) { try ends.ask(.watch, face(1)) }
        try ends.ask(.phone, face(1))
        try ends.run()
        #expect(ends.watch.userInfos == [.numbered(1)])
    }

    @Test func `a transfer for the face is marked as the current one`() throws {
        var ends = try onFace()
        try ends.cut()
        try ends.ask(.phone, face(1))
        let outstanding = ends.phone.machine.outstandingUserInfoTransfers
        #expect(outstanding.map(\.isCurrentComplicationInfo) == [true])
    }

    @Test func `a newer transfer for the face unmarks the older one, which is still delivered`()
        throws
    {
        var ends = try onFace()
        try ends.cut()
        try ends.ask(.phone, face(1))
        try ends.ask(.phone, face(2))
        let outstanding = ends.phone.machine.outstandingUserInfoTransfers
        #expect(outstanding.map(\.isCurrentComplicationInfo) == [false, true])
        try ends.link()
        #expect(ends.watch.userInfos.compactMap(\.number).sorted() == [1, 2])
    }

    @Test func `an older transfer for the face waits its turn without asking for time`() throws {
        var ends = try onFace()
        // Both leave, and neither is answered.
        for number in 1...3 { try ends.ask(.phone, face(number)) }
        ends.toWatch = []
        for _ in 0..<20 {
            guard let due = ends.phone.machine.nextDeadlineUptimeMilliseconds else { break }
            #expect(due > ends.now.uptimeMilliseconds)
            try ends.pass(milliseconds: due - ends.now.uptimeMilliseconds)
        }
        #expect(ends.watch.userInfos.compactMap(\.number).sorted() == [1, 2, 3])
    }

    @Test func `a transfer for the face goes before the queued user infos`() throws {
        var ends = try onFace()
        try ends.cut()
        for number in 1...3 {
            try ends.ask(.phone, .transferUserInfo(.numbered(number), TransferOptions()))
        }
        try ends.ask(.phone, face(9))
        try ends.link()
        #expect(ends.watch.userInfos.compactMap(\.number) == [9, 1, 2, 3])
    }

    @Test func `a transfer for the face launches the watch's app out of a budget of its own`()
        throws
    {
        var switches = CompanionSwitches()
        switches.budget = DeviceBudget(wakes: 0, bytes: .max)
        var ends = try onFace(switches)
        try ends.give(.watch, .environment(.app(.notRunning)))
        try ends.run()
        try ends.ask(.phone, face(1))
        try ends.run()
        #expect(ends.watch.wakes == 1)
        #expect(ends.phone.machine.ledger.sum(at: ends.now) { $0.faceWakes } == 1)
        #expect(ends.phone.machine.ledger.wakes(at: ends.now) == 0)
    }

    @Test func `there are 50 transfers for the face in a day`() throws {
        var ends = try onFace()
        for number in 1...50 {
            #expect(
                ends.phone.machine.remainingComplicationUserInfoTransfers(at: ends.now)
                    == 51 - number)
            try ends.ask(.phone, face(number))
            try ends.run()
            try ends.pass(milliseconds: 60_000)
        }
        #expect(ends.phone.machine.remainingComplicationUserInfoTransfers(at: ends.now) == 0)
        try ends.restart(.phone)
        try ends.launch(.phone)
        try ends.link()
        #expect(ends.phone.machine.remainingComplicationUserInfoTransfers(at: ends.now) == 0)
        // Rolling: the first one comes back a day after it was spent.
        try ends.pass(milliseconds: 86_400_000 - 50 * 60_000)
        #expect(ends.phone.machine.remainingComplicationUserInfoTransfers(at: ends.now) == 1)
    }

    @Test(arguments: [ComplicationPlacement.none, .smartStack])
    func `none is left while the complication is not on the active face`(
        _ placement: ComplicationPlacement
    ) throws {
        var ends = try onFace()
        #expect(ends.phone.machine.remainingComplicationUserInfoTransfers(at: ends.now) == 50)
        try ends.give(.watch, .environment(.complication(placement)))
        try ends.run()
        #expect(!ends.phone.machine.isComplicationEnabled)
        #expect(ends.phone.machine.remainingComplicationUserInfoTransfers(at: ends.now) == 0)
    }

    @Test func `with none left a transfer for the face is an ordinary user info`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.ask(.phone, face(2))
        let outstanding = ends.phone.machine.outstandingUserInfoTransfers
        #expect(outstanding.map(\.isCurrentComplicationInfo) == [false, false])
        try ends.link()
        #expect(ends.watch.userInfos.compactMap(\.number) == [1, 2])
    }

    @Test func `faces that WidgetKit draws are not moved if the switch says so`() throws {
        var switches = CompanionSwitches()
        switches.complicationFaces = .widgetKitUnmoved
        let ends = try onFace(switches)
        #expect(!ends.phone.machine.isComplicationEnabled)
        #expect(ends.phone.machine.remainingComplicationUserInfoTransfers(at: ends.now) == 0)
    }
}
