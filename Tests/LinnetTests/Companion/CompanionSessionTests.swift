import Linnet
import LinnetWire
import Testing

/// The companion lanes of two whole nodes with nothing but TCP between them.
@Suite(.timeLimit(.minutes(5)))
struct CompanionSessionTests {
    private let homes = LaneHomes()

    private func answerNext(_ device: LaneDevice, _ reply: CompanionDictionary) async throws {
        let messages = await device.wait(\.message)
        let message = try #require(messages.last)
        #expect(message.expectsReply)
        try await device.companion.reply(to: message, with: reply)
    }

    @Test func `a message is answered in either direction, without any other carrier`()
        async throws
    {
        let (phone, watch) = try await homes.pair()
        #expect(try await phone.node.status().companionLink == nil)
        async let answering: Void = answerNext(phone, ["taken": true])
        #expect(try await watch.companion.sendMessage(["take": "aspirin"]) == ["taken": true])
        try await answering
        async let showing: Void = answerNext(watch, ["shown": 2])
        #expect(try await phone.companion.sendMessage(["show": "plan"]) == ["shown": 2])
        try await showing
        #expect(phone.events.compactMap(\.message?.content) == [["take": "aspirin"]])
        #expect(watch.events.compactMap(\.message?.content) == [["show": "plan"]])
        await phone.stop()
        await watch.stop()
    }

    @Test func `a message whose receiver ends without an answer has an unknown outcome`()
        async throws
    {
        let (phone, watch) = try await homes.pair()
        let sending = Task { try await watch.companion.sendMessage(["take": "aspirin"]) }
        #expect(await phone.wait(\.message).count == 1)
        await phone.stop()
        await #expect(throws: CompanionSessionError.outcomeUnknown) { try await sending.value }
        await #expect(throws: CompanionSessionError.notReachable) {
            try await watch.companion.sendMessage(["take": "ibuprofen"])
        }
        await watch.stop()
    }

    @Test func `user infos that were queued alone outlast a restart of both, in order and once`()
        async throws
    {
        var (phone, watch) = try await homes.pair()
        await phone.stop()
        var queued: [CompanionTransferID] = []
        for dose in 1...3 {
            queued.append(try await watch.companion.transferUserInfo(["dose": .int(Int64(dose))]))
        }
        await watch.stop()
        (phone, watch) = try await homes.reopenBoth()
        #expect(await phone.wait(for: 3, \.userInfo).map(\.userInfo["dose"]) == [1, 2, 3])
        #expect(await watch.wait(for: 3, \.finished) == queued)
        #expect(await watch.companion.outstandingUserInfoTransfers.isEmpty)
        await watch.stop()
        await phone.stop()
        // What came once does not come again, before what is queued now.
        (phone, watch) = try await homes.reopenBoth()
        try await watch.companion.transferUserInfo(["dose": 4])
        #expect(await phone.wait(\.userInfo).map(\.userInfo) == [["dose": 4]])
        await phone.stop()
        await watch.stop()
    }

    @Test func `a user info that asks for it comes again after a restart, until it is worked off`()
        async throws
    {
        var (phone, watch) = try await homes.pair()
        let id = try await phone.companion.transferUserInfo(["dose": 1], wantsProcessed: true)
        #expect(await watch.wait(\.userInfo).map(\.isRepeated) == [false])
        #expect(await phone.wait(\.finished) == [id])
        await watch.stop()
        await phone.stop()
        (phone, watch) = try await homes.reopenBoth()
        let again = try #require(await watch.wait(\.userInfo).first)
        #expect(again.isRepeated && again.userInfo == ["dose": 1])
        try await watch.companion.processed(again.id)
        #expect(await phone.wait(\.processed) == [id])
        await watch.stop()
        await phone.stop()
        (phone, watch) = try await homes.reopenBoth()
        try await phone.companion.transferUserInfo(["dose": 2])
        #expect(await watch.wait(\.userInfo).map(\.userInfo) == [["dose": 2]])
        await phone.stop()
        await watch.stop()
    }

    @Test func `the newest context of each direction arrives, and stays after a restart`()
        async throws
    {
        var (phone, watch) = try await homes.pair()
        await watch.stop()
        for hour in 8...10 {
            try await phone.companion.updateApplicationContext(["next": .int(Int64(hour))])
        }
        await phone.stop()
        (phone, watch) = try await homes.reopenBoth()
        #expect(await watch.wait(\.context) == [["next": 10]])
        try await watch.companion.updateApplicationContext(["page": "today"])
        #expect(await phone.wait(\.context) == [["page": "today"]])
        await watch.stop()
        await phone.stop()
        (phone, watch) = try await homes.reopenBoth()
        #expect(await watch.companion.receivedApplicationContext == ["next": 10])
        #expect(await watch.companion.applicationContext == ["page": "today"])
        #expect(await phone.companion.receivedApplicationContext == ["page": "today"])
        await phone.stop()
        await watch.stop()
    }

    @Test func `a phone goes over to a watch that is there when its own is not, and back`()
        async throws
    {
        let (phone, watch) = try await homes.pair()
        await watch.stop()
        try await phone.companion.transferUserInfo(["for": "first"])
        let second = try await homes.join("second", phone)
        try await activateAgain(phone)
        await second.waitUntilReachable()
        try await phone.companion.transferUserInfo(["for": "second"])
        #expect(await second.wait(\.userInfo).map(\.userInfo) == [["for": "second"]])

        // Of two that are there the active one stays.
        let port = try #require(await phone.node.port)
        let other = try await homes.reopen("watch", connectingTo: port)
        try await other.node.sync()
        async let answering: Void = answerNext(phone, ["still": "second"])
        #expect(try await second.companion.sendMessage([:]) == ["still": "second"])
        try await answering
        #expect(other.userInfos.isEmpty)
        await other.stop()

        let changes = phone.events.count { $0 == .reachabilityDidChange }
        await second.stop()
        await phone.wait { $0.count { $0 == .reachabilityDidChange } > changes }
        let first = try await homes.reopen("watch", connectingTo: port)
        try await activateAgain(phone)
        #expect(await first.wait(\.userInfo).map(\.userInfo) == [["for": "first"]])
        await first.stop()
        await phone.stop()
    }

    /// Waits until the session has changed watches, and activates it for the new one.
    private func activateAgain(_ phone: LaneDevice) async throws {
        while await phone.companion.isActivated {
            let told = phone.events.count
            await phone.wait { $0.count > told }
        }
        try await phone.companion.activate()
    }
}
