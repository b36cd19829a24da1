import LinnetWire
import Testing

@testable import LinnetCompanion

/// What the platform says of application contexts.
@Suite struct ApplicationContextConformanceTests {
    private func context(_ number: Int) -> AppCommand {
        .updateApplicationContext(.numbered(number), importance: .plan)
    }

    @Test func `a context needs an activated session`() throws {
        var ends = try TwoEnds()
        try ends.pair()
        #expect(throws: CompanionError.sessionNotActivated) { try ends.ask(.phone, context(1)) }
    }

    @Test func `a context may be set while the counterpart is not reachable`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, context(1))
        #expect(ends.phone.machine.applicationContext == .numbered(1))
        try ends.link()
        #expect(ends.watch.contexts == [.numbered(1)])
    }

    @Test func `a context arrives although its sender has ended`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, context(1))
        try ends.restart(.phone)
        try ends.link()
        #expect(ends.phone.machine.activationState == .notActivated)
        #expect(ends.watch.contexts == [.numbered(1)])
    }

    @Test func `each context replaces the whole one before it`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.phone, .updateApplicationContext(["a": .int(1)], importance: .plan))
        try ends.run()
        try ends.ask(.phone, .updateApplicationContext(["b": .int(1)], importance: .plan))
        try ends.run()
        #expect(ends.watch.machine.receivedApplicationContext == ["b": .int(1)])
    }

    @Test func `of many contexts only the newest is sure to be seen`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        for number in 1...50 { try ends.ask(.phone, context(number)) }
        try ends.link()
        #expect(ends.watch.contexts == [.numbered(50)])
    }

    @Test func `the contexts of the two directions are independent`() throws {
        var ends = try TwoEnds.together()
        try ends.ask(.phone, context(1))
        try ends.ask(.watch, context(2))
        try ends.run()
        #expect(ends.phone.machine.applicationContext == .numbered(1))
        #expect(ends.phone.machine.receivedApplicationContext == .numbered(2))
        #expect(ends.watch.machine.applicationContext == .numbered(2))
        #expect(ends.watch.machine.receivedApplicationContext == .numbered(1))
    }

    @Test func `a context launches the watch's app in the background`() throws {
        var ends = try TwoEnds.together()
        try ends.give(.watch, .environment(.app(.suspended)))
        try ends.run()
        try ends.ask(.phone, context(1))
        try ends.run()
        #expect(ends.watch.wakes == 1)
        #expect(ends.watch.contexts == [.numbered(1)])
    }

    @Test func `a context that came while the app was not running is told on its next launch`()
        throws
    {
        var ends = try TwoEnds.together()
        ends.watch.startsWhenAsked = false
        try ends.give(.watch, .environment(.app(.notRunning)))
        try ends.run()
        try ends.ask(.phone, context(1))
        try ends.run()
        #expect(ends.watch.contexts.isEmpty)
        try ends.restart(.watch)
        try ends.launch(.watch)
        #expect(ends.watch.contexts == [.numbered(1)])
    }

    @Test(arguments: [false, true])
    func `a context towards the phone wakes its app if the switch says so`(_ wakes: Bool) throws {
        var switches = CompanionSwitches()
        switches.wakesPhoneForTransfers = wakes
        var ends = try TwoEnds.together(switches)
        try ends.give(.phone, .environment(.app(.suspended)))
        try ends.run()
        try ends.ask(.watch, context(1))
        try ends.run()
        #expect(ends.phone.wakes == (wakes ? 1 : 0))
        #expect(ends.phone.contexts.count == (wakes ? 1 : 0))
    }

    @Test(arguments: [true, false])
    func `a context equal to the last one is sent again if the switch says so`(
        _ suppresses: Bool
    ) throws {
        var switches = CompanionSwitches()
        switches.suppressesIdenticalContexts = suppresses
        var ends = try TwoEnds.together(switches)
        for _ in 0..<2 {
            try ends.ask(.phone, context(1))
            try ends.run()
        }
        #expect(ends.watch.contexts.count == (suppresses ? 1 : 2))
    }

    @Test func `a context of 262,144 bytes passes and a larger one is refused`() throws {
        var ends = try TwoEnds.together()
        let overhead =
            try Payload.encode(["x": .data([UInt8](repeating: 1, count: 70_000))], max: 80_000)
            .count - 70_000
        let room = 262_144 - overhead
        let largest: PropertyDictionary = ["x": .data([UInt8](repeating: 1, count: room))]
        try ends.ask(.phone, .updateApplicationContext(largest, importance: .plan))
        try ends.run()
        #expect(ends.watch.contexts == [largest])
        let larger: PropertyDictionary = ["x": .data([UInt8](repeating: 1, count: room + 1))]
        #expect(throws: CompanionError.payloadTooLarge) {
            try ends.ask(.phone, .updateApplicationContext(larger, importance: .plan))
        }
    }
}
