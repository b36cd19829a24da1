import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of background launches, and the ledger of what they cost.
@Suite struct BackgroundConformanceTests {
    private func asleep(_ switches: CompanionSwitches = CompanionSwitches()) throws -> TwoEnds {
        var ends = try TwoEnds.together(switches)
        try ends.give(.watch, .environment(.app(.suspended)))
        try ends.run()
        return ends
    }

    private func info(_ number: Int, _ importance: Importance = .plan) -> AppCommand {
        .transferUserInfo(.numbered(number), TransferOptions(importance: importance))
    }

    @Test func `what arrives while the watch's app is suspended comes with a background task`()
        throws
    {
        var ends = try asleep()
        try ends.ask(.phone, info(1))
        try ends.run()
        #expect(ends.watch.told.contains(.backgroundTask(1)))
        #expect(ends.watch.machine.appState == .suspended)
    }

    @Test func `content is pending until the session is activated and all of it is received`()
        throws
    {
        var ends = try asleep()
        ends.watch.startsWhenAsked = false
        try ends.ask(.phone, info(1))
        try ends.ask(.phone, .updateApplicationContext(.numbered(1), importance: .plan))
        try ends.run()
        #expect(ends.watch.machine.hasContentPending)
        try ends.give(.watch, .environment(.app(.notRunning)))
        try ends.give(.watch, .environment(.app(.background)))
        #expect(ends.watch.machine.hasContentPending)
        try ends.give(.watch, .activate(hasDelegate: true))
        #expect(!ends.watch.machine.hasContentPending)
    }

    @Test func `an app that does not complete its background task is ended`() throws {
        var ends = try asleep()
        ends.watch.completesTasks = false
        try ends.ask(.phone, info(1))
        try ends.run()
        try ends.pass(milliseconds: 60_000)
        #expect(ends.watch.ends == 1)
        #expect(ends.watch.machine.appState == .notRunning)
        #expect(ends.watch.machine.activationState == .notActivated)
    }

    @Test func `a background task is completed once`() throws {
        var ends = try asleep()
        try ends.ask(.phone, info(1))
        try ends.run()
        #expect(throws: CompanionError.invalidParameter) { try ends.ask(.watch, .completeTask(1)) }
    }

    @Test func `what arrives while the watch's app runs launches nothing`() throws {
        var ends = try TwoEnds.together()
        for number in 1...10 { try ends.ask(.phone, info(number)) }
        try ends.run()
        #expect(ends.watch.wakes == 0)
        #expect(ends.phone.machine.ledger.wakes(at: ends.now) == 0)
    }

    @Test func `a watch out of range is told everything with one wake when it comes back`() throws {
        var ends = try asleep()
        try ends.cut()
        ends.watch.completesTasks = false
        for number in 1...10 { try ends.ask(.phone, info(number)) }
        try ends.link()
        #expect(ends.watch.userInfos.count == 10)
        #expect(ends.watch.wakes == 1)
        #expect(ends.phone.machine.ledger.wakes(at: ends.now) == 1)
        #expect(ends.watch.machine.ledger.sum(at: ends.now) { $0.wakesHere } == 1)
    }

    @Test func `the budget of wakes keeps its last part for what is more important`() throws {
        var switches = CompanionSwitches()
        switches.budget = DeviceBudget(wakes: 10, bytes: .max)
        var ends = try asleep(switches)
        var wakes: [Importance: UInt64] = [:]
        for importance in [Importance.files, .history, .plan, .safety] {
            for number in 1...12 {
                try ends.ask(
                    .phone,
                    .updateApplicationContext(
                        ["n": .int(Int64(number)), "i": .int(Int64(importance.rawValue))],
                        importance: importance))
                try ends.run()
            }
            wakes[importance] = ends.phone.machine.ledger.wakes(at: ends.now)
        }
        #expect(wakes == [.files: 5, .history: 7, .plan: 9, .safety: 10])
    }

    @Test func `what a budget defers is named with its reason and leaves when there is room`()
        throws
    {
        var switches = CompanionSwitches()
        switches.budget = DeviceBudget(wakes: 2, bytes: .max)
        var ends = try asleep(switches)
        for number in 1...4 {
            try ends.ask(.phone, info(number, .history))
            try ends.run()
        }
        #expect(ends.watch.userInfos.count == 1)
        let deferred = try #require(ends.phone.machine.ledger.deferred.first)
        #expect(deferred.reason == .wakeBudget)
        #expect(deferred.lane == .userInfo)
        #expect(deferred.importance == .history)
        // Behind something urgent the whole queue is urgent: it is first in, first out.
        try ends.ask(.phone, info(5, .safety))
        try ends.run()
        #expect(ends.watch.userInfos.count == 5)
        try ends.ask(.phone, info(6, .history))
        try ends.run()
        #expect(ends.watch.userInfos.count == 5)
        try ends.pass(milliseconds: 26 * 3_600_000)
        #expect(ends.watch.userInfos.count == 6)
    }

    @Test func `the budget of bytes holds back files before anything else`() throws {
        var switches = CompanionSwitches()
        switches.budget = DeviceBudget(wakes: .max, bytes: 200_000)
        var ends = try TwoEnds.together(switches)
        let content = [UInt8](repeating: 3, count: 150_000)
        ends.phone.files["a"] = content
        try ends.ask(
            .phone,
            .transferFile(
                OutgoingFile(
                    reference: "a", byteCount: 150_000, contentHash: FileDigest.digest(of: content),
                    metadata: [:]), TransferOptions(importance: .files)))
        try ends.run()
        #expect(ends.phone.machine.ledger.deferred.map(\.reason) == [.byteBudget])
        #expect(ends.phone.machine.ledger.bytes(at: ends.now) <= 100_000)
        try ends.ask(.phone, info(1, .safety))
        try ends.run()
        #expect(ends.watch.userInfos.count == 1)
        try ends.pass(milliseconds: 52 * 3_600_000)
        #expect(ends.watch.receivedFiles.count == 1)
    }

    @Test func `the ledger outlasts a restart`() throws {
        var ends = try asleep()
        try ends.ask(.phone, info(1))
        try ends.run()
        let before = ends.phone.machine.ledger.hours
        #expect(!before.isEmpty)
        try ends.restart(.phone)
        #expect(ends.phone.machine.ledger.hours == before)
    }
}
