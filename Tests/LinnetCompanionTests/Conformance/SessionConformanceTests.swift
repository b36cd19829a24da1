import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of activation and of the change of watches.
@Suite struct SessionConformanceTests {
    private let other = DeviceID(repeating: 3)

    private func twoWatches() throws -> TwoEnds {
        var ends = try TwoEnds.together()
        try ends.give(.phone, .environment(.paired(other)))
        return ends
    }

    @Test func `a session starts as not activated, and activating it is told`() throws {
        var ends = try TwoEnds()
        #expect(ends.phone.machine.activationState == .notActivated)
        try ends.launch(.phone)
        #expect(ends.phone.machine.activationState == .activated)
        #expect(ends.phone.told == [.activationDidComplete(.activated)])
    }

    @Test func `a session without a delegate is not activated`() throws {
        var ends = try TwoEnds()
        #expect(throws: CompanionError.sessionMissingDelegate) {
            try ends.give(.phone, .activate(hasDelegate: false))
        }
        #expect(ends.phone.machine.activationState == .notActivated)
    }

    @Test func `when the person changes watches the session is inactive, then deactivated`() throws
    {
        var ends = try twoWatches()
        ends.phone.told = []
        try ends.give(.phone, .environment(.watchSwitched(to: other)))
        #expect(
            ends.phone.told.prefix(2) == [.sessionDidBecomeInactive, .sessionDidDeactivate])
        #expect(ends.phone.machine.activationState == .notActivated)
    }

    @Test func `an inactive session starts no transfers`() throws {
        var ends = try inactive()
        #expect(throws: CompanionError.sessionInactive) {
            try ends.ask(.phone, .transferUserInfo(["a": .int(1)], TransferOptions()))
        }
        #expect(throws: CompanionError.sessionInactive) {
            try ends.ask(.phone, .updateApplicationContext(["a": .int(1)], importance: .plan))
        }
    }

    /// Inactive with something of the old watch that the suspended app has not been given.
    private func inactive() throws -> TwoEnds {
        var ends = try twoWatches()
        try ends.give(.phone, .environment(.app(.suspended)))
        try ends.run()
        try ends.ask(.watch, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.run()
        try ends.give(.phone, .environment(.watchSwitched(to: other)))
        #expect(ends.phone.machine.activationState == .inactive)
        return ends
    }

    @Test func `an inactive session hands over what had arrived before it is deactivated`() throws {
        var ends = try inactive()
        ends.phone.told = []
        try ends.give(.phone, .environment(.app(.foreground)))
        #expect(ends.phone.userInfos == [.numbered(1)])
        #expect(ends.phone.told.last == .sessionDidDeactivate)
    }

    @Test func `a change of watches cancels interactive messages`() throws {
        var ends = try twoWatches()
        ends.watch.reply = nil
        for _ in 0..<2 { try ends.ask(.phone, .sendMessage(.data([1]), expectsReply: true)) }
        try ends.give(.phone, .environment(.watchSwitched(to: other)))
        #expect(
            ends.phone.outcomes == [.unknown(.sessionInactive), .failed(.sessionInactive)])
    }

    @Test func `after a change of watches the session is activated anew for the new watch`() throws
    {
        var ends = try twoWatches()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.give(.phone, .environment(.watchSwitched(to: other)))
        #expect(throws: CompanionError.sessionNotActivated) {
            try ends.ask(.phone, .transferUserInfo(.numbered(2), TransferOptions()))
        }
        try ends.give(.phone, .activate(hasDelegate: true))
        #expect(ends.phone.machine.outstandingUserInfoTransfers.isEmpty)
        #expect(!ends.phone.machine.isReachable)
    }

    @Test func `of several paired watches one is active`() throws {
        var ends = try twoWatches()
        try ends.give(.phone, .environment(.link(other, isUp: true)))
        ends.phone.effects = []
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        let peers = ends.phone.effects.compactMap { effect -> DeviceID? in
            if case .send(let peer, _) = effect { peer } else { nil }
        }
        #expect(peers == [ends.watch.device])
    }

    @Test func `transfers for a watch that is not active wait until it is active again`() throws {
        var ends = try twoWatches()
        try ends.cut()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        for peer in [other, ends.watch.device] {
            try ends.give(.phone, .environment(.watchSwitched(to: peer)))
            try ends.give(.phone, .activate(hasDelegate: true))
        }
        try ends.link()
        #expect(ends.watch.userInfos == [.numbered(1)])
    }

    @Test func `the watch directory belongs to the active watch`() throws {
        var ends = try twoWatches()
        #expect(ends.phone.machine.watchDirectory == ends.watch.device)
        try ends.give(.phone, .environment(.counterpartApp(other, isInstalled: true)))
        try ends.give(.phone, .environment(.watchSwitched(to: other)))
        #expect(ends.phone.machine.watchDirectory == other)
    }

    @Test func `the watch directory is deleted on the next launch after the app was removed`()
        throws
    {
        var ends = try TwoEnds.together()
        let removal = CompanionEffect.removeWatchDirectory(ends.watch.device)
        try ends.give(
            .phone, .environment(.counterpartApp(ends.watch.device, isInstalled: false)))
        #expect(ends.phone.machine.watchDirectory == nil)
        #expect(!ends.phone.effects.contains(removal))
        try ends.restart(.phone)
        try ends.launch(.phone)
        #expect(ends.phone.effects.filter { $0 == removal }.count == 1)
    }

    @Test func `the watch directory is deleted on the next launch after unpairing`() throws {
        var ends = try TwoEnds.together()
        let removal = CompanionEffect.removeWatchDirectory(ends.watch.device)
        try ends.give(.phone, .environment(.unpaired(ends.watch.device)))
        try ends.give(.phone, .environment(.app(.notRunning)))
        #expect(!ends.phone.effects.contains(removal))
        try ends.launch(.phone)
        #expect(ends.phone.effects.contains(removal))
    }

    @Test func `the phone knows whether a watch is paired and has the app and the complication`()
        throws
    {
        var ends = try TwoEnds()
        try ends.launch(.phone)
        #expect(!ends.phone.machine.isPaired)
        #expect(throws: CompanionError.deviceNotPaired) {
            try ends.ask(.phone, .transferUserInfo(["a": .int(1)], TransferOptions()))
        }
        try ends.pair()
        #expect(ends.phone.machine.isPaired && !ends.phone.machine.isWatchAppInstalled)
        #expect(throws: CompanionError.watchAppNotInstalled) {
            try ends.ask(.phone, .transferUserInfo(["a": .int(1)], TransferOptions()))
        }
        try ends.launch(.watch)
        try ends.link()
        #expect(ends.phone.machine.isWatchAppInstalled)
        #expect(!ends.phone.machine.isComplicationEnabled)
        ends.phone.told = []
        try ends.give(.watch, .environment(.complication(.activeFace)))
        try ends.run()
        #expect(ends.phone.machine.isComplicationEnabled)
        #expect(ends.phone.told == [.watchStateDidChange])
    }

    @Test func `transfers for a watch whose app is removed fail`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.give(
            .phone, .environment(.counterpartApp(ends.watch.device, isInstalled: false)))
        #expect(ends.phone.finished.map(\.error) == [.watchAppNotInstalled])
    }

    @Test func `transfers for a watch that is unpaired fail, told on the next launch if need be`()
        throws
    {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.give(.phone, .environment(.app(.notRunning)))
        try ends.give(.phone, .environment(.unpaired(ends.watch.device)))
        try ends.restart(.phone)
        try ends.launch(.phone)
        #expect(ends.phone.finished.map(\.error) == [.deviceNotPaired])
        #expect(ends.phone.machine.outstandingUserInfoTransfers.isEmpty)
    }
}
