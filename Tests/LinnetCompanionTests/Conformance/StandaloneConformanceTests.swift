import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of watch apps without a phone app.
@Suite struct StandaloneConformanceTests {
    @Test func `a watch whose phone lacks the app is in a normal state`() throws {
        var ends = try TwoEnds()
        try ends.launch(.watch)
        #expect(ends.watch.machine.activationState == .activated)
        #expect(!ends.watch.machine.isCompanionAppInstalled)
        #expect(!ends.watch.machine.isReachable)
        #expect(throws: CompanionError.companionAppNotInstalled) {
            try ends.ask(.watch, .transferUserInfo(["a": .int(1)], TransferOptions()))
        }
    }

    @Test func `a watch-only app has no companion at all`() throws {
        var switches = CompanionSwitches()
        switches.isWatchOnlyApp = true
        var ends = try TwoEnds.together(switches)
        #expect(!ends.watch.machine.isCompanionAppInstalled)
        #expect(throws: CompanionError.watchOnlyApp) {
            try ends.ask(.watch, .updateApplicationContext(["a": .int(1)], importance: .plan))
        }
    }

    @Test func `the phone app may be installed later and removed again`() throws {
        var ends = try TwoEnds()
        try ends.pair()
        try ends.launch(.watch)
        try ends.launch(.phone)
        ends.watch.told = []
        try ends.link()
        #expect(ends.watch.machine.isCompanionAppInstalled)
        #expect(ends.watch.told.contains(.companionAppInstalledDidChange))
        try ends.ask(.watch, .transferUserInfo(.numbered(1), TransferOptions()))
        try ends.run()
        #expect(ends.phone.userInfos == [.numbered(1)])
        try ends.give(
            .watch, .environment(.counterpartApp(ends.phone.device, isInstalled: false)))
        #expect(!ends.watch.machine.isCompanionAppInstalled)
    }
}
