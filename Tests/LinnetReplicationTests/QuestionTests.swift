import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The questions to the person about what other devices did to the group.
@Suite struct QuestionTests {
    private let fleet = Fleet()

    private func asked(_ device: Device) -> [AskedQuestion] {
        device.replica?.askedQuestions ?? []
    }

    private func answer(_ device: Device, _ record: MemberRecordID, isOwn: Bool) throws {
        device.perform(
            try device.replica?.answer(record, isOwn: isOwn, at: fleet.now) ?? [])
        fleet.run()
    }

    private func remove(_ target: Device, by author: Device) throws {
        author.perform(
            try author.replica?.remove(
                try deviceID(of: target), reason: .lost, with: [], at: fleet.now) ?? [])
        fleet.run()
    }

    /// Lets a device dial another one as often as they need to find a key that both have.
    private func reach(from device: Device, _ other: Device) throws {
        for _ in 0..<4 {
            fleet.connect(device, other, .dialledMember(try deviceID(of: other)))
            fleet.disconnectAll()
        }
    }

    private func members(_ device: Device) -> Int? {
        device.replica?.group?.log.state.members.count
    }

    private func pass(_ milliseconds: Int64, _ devices: [Device]) {
        fleet.advance(milliseconds)
        fleet.meetDeadlines(devices)
    }

    @Test func `a newcomer that a third device let in is asked of, and accepted after seven days`()
        throws
    {
        let devices = try fleet.trio()
        #expect(asked(devices[0]).isEmpty && asked(devices[2]).isEmpty)
        let found = asked(devices[1])
        let question = try #require(found.first)
        #expect(found.count == 1)
        #expect(question.question.matter == .admission)
        #expect(try question.question.device == deviceID(of: devices[2]))
        #expect(try question.question.author == deviceID(of: devices[0]))
        #expect(!question.question.isByRecovery && question.isOwn == nil)
        let since = try #require(question.since)
        #expect(question.acceptance == since + Limits.acceptanceMilliseconds)

        pass(since + Limits.acceptanceMilliseconds - 1 - fleet.now.wallMilliseconds, devices)
        #expect(asked(devices[1]).count == 1)
        try fleet.reopen(devices[1])
        #expect(asked(devices[1]) == found)
        let records = devices[1].replica?.group?.log.records.count
        pass(1, devices)
        #expect(asked(devices[1]).isEmpty)
        #expect(devices[1].replica?.group?.log.records.count == records.map { $0 + 1 })
        let due = devices[1].replica?.membership.acceptanceDue
        #expect(due == nil)
        // The others hear of it.
        for other in [0, 2] { fleet.connect(devices[1], devices[other]) }
        let logs = devices.map { $0.replica?.group?.log.heads }
        #expect(logs[0] == logs[1] && logs[2] == logs[1])
    }

    @Test func `yes accepts at once, and no is remembered and keeps a device from accepting`()
        throws
    {
        let devices = try fleet.group(["a", "b", "c", "d"])
        for _ in 0..<2 { for other in devices.dropFirst() { fleet.connect(devices[0], other) } }
        fleet.disconnectAll()
        let found = asked(devices[1]).map(\.question.record)
        #expect(found.count == 2)
        try answer(devices[1], found[0], isOwn: true)
        #expect(asked(devices[1]).map(\.question.record) == [found[1]])
        try answer(devices[1], found[1], isOwn: false)
        #expect(asked(devices[1]).map(\.isOwn) == [false])
        #expect(asked(devices[1]).map(\.acceptance) == [nil])
        try fleet.reopen(devices[1])
        pass(2 * Limits.acceptanceMilliseconds, devices)
        #expect(asked(devices[1]).map(\.isOwn) == [false])
        try answer(devices[1], found[1], isOwn: true)
        #expect(asked(devices[1]).isEmpty)
        #expect(throws: ReplicaError.noSuchRecord(found[1].description)) {
            try answer(devices[1], found[1], isOwn: true)
        }
    }

    @Test func `a clock that was put back has the seven days counted anew`() throws {
        let devices = try fleet.trio()
        let day: Int64 = 86_400_000
        pass(6 * day, devices)
        fleet.now.wallMilliseconds -= 30 * day
        let started = fleet.now.wallMilliseconds
        try fleet.reopen(devices[1])
        #expect(asked(devices[1]).map(\.since) == [started])
        pass(6 * day, devices)
        #expect(asked(devices[1]).count == 1)
        pass(day, devices)
        #expect(asked(devices[1]).isEmpty)
    }

    @Test func `a removal is asked of on every other device, and no is a vote against it`() throws {
        let devices = try fleet.group(["a", "b", "c", "d"])
        for _ in 0..<2 { for other in devices.dropFirst() { fleet.connect(devices[0], other) } }
        fleet.disconnectAll()
        try remove(devices[2], by: devices[3])
        for other in [0, 1] { try reach(from: devices[3], devices[other]) }
        #expect(asked(devices[3]).allSatisfy { $0.question.matter == .admission })
        for device in devices[0...1] {
            let asked = asked(device).filter { $0.question.matter != .admission }
            let question = try #require(asked.first)
            #expect(asked.count == 1 && question.acceptance == nil)
            #expect(
                question.question.matter == .removal(reason: RemovePayload.Reason.lost.rawValue))
            // Each voted for it by itself; now both persons know better.
            try answer(device, question.question.record, isOwn: false)
        }
        try reach(from: devices[0], devices[1])
        #expect(members(devices[0]) == 4 && members(devices[1]) == 4)
        // What came to nothing is asked of no more.
        #expect(asked(devices[0]).allSatisfy { $0.question.matter == .admission })
    }

    @Test func `a removed device says that it was not its person, and the group hears it`() throws {
        let devices = try fleet.trio()
        try remove(devices[2], by: devices[1])
        try reach(from: devices[2], devices[1])
        #expect(members(devices[2]) == 2)
        let question = try #require(asked(devices[2]).first { $0.question.matter != .admission })
        #expect(try question.question.device == deviceID(of: devices[2]))
        try answer(devices[2], question.question.record, isOwn: false)
        let word = devices[2].replica?.group.map {
            Removals($0.log).word(
                of: devices[2].replica?.device ?? .zero, on: question.question.record)
        }
        #expect(word == false)
        // The founder sides with it.
        for _ in 0..<2 { fleet.connect(devices[0], devices[1]) }
        fleet.disconnectAll()
        try answer(devices[0], question.question.record, isOwn: false)
        try reach(from: devices[2], devices[0])
        #expect(members(devices[0]) == 3)
    }

    @Test func `an answer that was yes is kept while the removal stands, and asks no more`() throws
    {
        let devices = try fleet.trio()
        try remove(devices[2], by: devices[0])
        for _ in 0..<2 { fleet.connect(devices[0], devices[1]) }
        fleet.disconnectAll()
        let question = try #require(asked(devices[1]).first)
        #expect(question.question.matter != .admission)
        try answer(devices[1], question.question.record, isOwn: true)
        try fleet.reopen(devices[1])
        #expect(asked(devices[1]).map(\.isOwn) == [true])
        // The person thinks again.
        try answer(devices[1], question.question.record, isOwn: false)
        try answer(devices[1], question.question.record, isOwn: true)
        let word = devices[1].replica?.group.map {
            Removals($0.log).word(
                of: devices[1].replica?.device ?? .zero, on: question.question.record)
        }
        #expect(word == true)
    }

    @Test(arguments: [true, false])
    func `a device that was out for a while knows how long it knew another, and what was said`(
        isDenied: Bool
    ) throws {
        let devices = try fleet.trio()
        let before = try #require(asked(devices[1]).first)
        if isDenied { try answer(devices[1], before.question.record, isOwn: false) }
        fleet.advance(1_000)
        try remove(devices[1], by: devices[0])
        let removal = try #require(devices[0].replica?.reading.removals().first?.id)
        try reach(from: devices[1], devices[0])
        #expect(members(devices[1]) == 2)
        #expect(asked(devices[1]).allSatisfy { $0.question.matter != .admission })
        try fleet.reopen(devices[1])
        devices[0].perform(
            try devices[0].replica?.vote(on: removal, isFor: false, at: fleet.now) ?? [])
        try reach(from: devices[1], devices[0])
        #expect(members(devices[1]) == 3)
        let after = try #require(asked(devices[1]).first { $0.question == before.question })
        #expect(after.since == before.since && after.isOwn == (isDenied ? false : nil))
        pass(Limits.acceptanceMilliseconds - 1_000, devices)
        #expect(asked(devices[1]).map(\.isOwn) == (isDenied ? [false] : []))
    }

    @Test func `what a newcomer was told when it joined is no question`() throws {
        let devices = try fleet.trio()
        try remove(devices[2], by: devices[0])
        let late = try fleet.device("d", seed: 9)
        try fleet.pair(member: devices[0], newcomer: late)
        #expect(asked(late).isEmpty)
    }
}
