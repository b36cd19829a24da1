import Linnet
import Testing

/// Transfers for the watch face between two whole nodes over TCP.
@Suite(.timeLimit(.minutes(5)))
struct ComplicationTransferTests {
    private let homes = LaneHomes()

    /// A phone and a watch with the complication on its active face, as both know.
    private func pairWithFace() async throws -> (phone: LaneDevice, watch: LaneDevice) {
        let (phone, watch) = try await homes.pair()
        try await turn(watch, isOnFace: true, toldTo: phone)
        return (phone, watch)
    }

    private func turn(_ watch: LaneDevice, isOnFace: Bool, toldTo phone: LaneDevice) async throws {
        let told = phone.events.count
        try await watch.companion.setComplication(isOnFace: isOnFace)
        await phone.wait { $0.dropFirst(told).contains(.watchStateDidChange) }
        #expect(await phone.companion.isComplicationEnabled == isOnFace)
    }

    private func left(_ phone: LaneDevice) async -> Int {
        await phone.companion.remainingComplicationUserInfoTransfers
    }

    /// The transfers that are tagged as the current one.
    private func current(_ phone: LaneDevice) async -> [CompanionTransferID] {
        await phone.companion.outstandingUserInfoTransfers.filter(\.isCurrentComplicationInfo)
            .map(\.id)
    }

    @Test func `each costs one of fifty, and the newest alone is current and goes first`()
        async throws
    {
        var (phone, watch) = try await pairWithFace()
        #expect(await left(phone) == 50)
        await watch.stop()
        var queued = [try await phone.companion.transferUserInfo(["plain": true])]
        for dose in 1...3 {
            let id = try await phone.companion.transferCurrentComplicationUserInfo([
                "dose": .int(Int64(dose))
            ])
            queued.append(id)
            #expect(await left(phone) == 50 - dose)
            #expect(await current(phone) == [id])
        }
        #expect(await phone.companion.outstandingUserInfoTransfers.map(\.id) == queued)
        let port = try #require(await phone.node.port)
        watch = try await homes.reopen("watch", connectingTo: port)
        let received = await watch.wait(for: 4, \.userInfo)
        #expect(
            received.map(\.userInfo) == [["dose": 3], ["plain": true], ["dose": 1], ["dose": 2]])
        #expect(received.map(\.isComplication) == [true, false, true, true])
        let finished = await phone.wait(for: 4, \.finished)
        #expect(finished.sorted { $0.description < $1.description } == queued)
        #expect(await current(phone).isEmpty)
        await phone.stop()
        await watch.stop()
        (phone, watch) = try await homes.reopenBoth()
        #expect(await left(phone) == 47)
        await phone.stop()
        await watch.stop()
    }

    @Test func `off the face it is an ordinary user info that costs nothing`() async throws {
        let (phone, watch) = try await pairWithFace()
        try await phone.companion.transferCurrentComplicationUserInfo(["dose": 1])
        #expect(await watch.wait(\.userInfo).map(\.isComplication) == [true])
        try await turn(watch, isOnFace: false, toldTo: phone)
        #expect(await left(phone) == 0)
        try await phone.companion.transferCurrentComplicationUserInfo(["dose": 2])
        #expect(await current(phone).isEmpty)
        let received = await watch.wait(for: 2, \.userInfo)
        #expect(received.map(\.userInfo) == [["dose": 1], ["dose": 2]])
        #expect(received.map(\.isComplication) == [true, false])
        try await turn(watch, isOnFace: true, toldTo: phone)
        #expect(await left(phone) == 49)
        await phone.stop()
        await watch.stop()
    }

    @Test func `after fifty in a day the next is an ordinary user info, restart or not`()
        async throws
    {
        var (phone, watch) = try await pairWithFace()
        await watch.stop()
        var last: CompanionTransferID?
        for number in 1...50 {
            last = try await phone.companion.transferCurrentComplicationUserInfo([
                "number": .int(Int64(number))
            ])
        }
        #expect(await left(phone) == 0)
        await phone.stop()
        phone = try await homes.reopen("phone")
        #expect(await phone.companion.isComplicationEnabled)
        #expect(await left(phone) == 0)
        try await phone.companion.transferCurrentComplicationUserInfo(["number": 51])
        #expect(await current(phone) == [last])
        let port = try #require(await phone.node.port)
        watch = try await homes.reopen("watch", connectingTo: port)
        let received = await watch.wait(for: 51, \.userInfo)
        let numbers = [50] + Array(1...49) + [51]
        #expect(received.map { $0.userInfo["number"] } == numbers.map { .int(Int64($0)) })
        #expect(received.map(\.isComplication) == numbers.map { $0 <= 50 })
        await phone.stop()
        await watch.stop()
    }

    @Test func `a watch has no transfers for the face`() async throws {
        let (phone, watch) = try await pairWithFace()
        await #expect(throws: CompanionSessionError.invalidParameter) {
            try await watch.companion.transferCurrentComplicationUserInfo(["dose": 1])
        }
        #expect(await watch.companion.remainingComplicationUserInfoTransfers == 0)
        await phone.stop()
        await watch.stop()
    }
}
