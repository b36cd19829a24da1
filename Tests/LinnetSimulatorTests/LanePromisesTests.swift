import LinnetWire
import Testing

@testable import LinnetCompanion
@testable import LinnetSimulator

/// The checker of lanes, on what apps might hear, and the scenario that it judges.
@Suite(.serialized)
struct LanePromisesTests {
    private static let id = TransferID(installation: .zero, number: 1)

    private static func asked(_ kind: LanePromises.Kind) throws -> LanePromises {
        var promises = LanePromises()
        promises.asking = LanePromises.Asked(device: 0, kind: kind)
        try promises.accepted(id, by: 0)
        promises.asking = nil
        return promises
    }

    private static func ends() throws -> [LaneEnd] {
        try [0, 1].map { try LaneEnd($0, CompanionSwitches(), salt: 7) }
    }

    @Test func `a message ends once`() throws {
        let ends = try Self.ends()
        var promises = try Self.asked(.message(1, expectsReply: true))
        let failure = CompanionEvent.messageFinished(Self.id, .failed(.notReachable))
        try promises.heard(failure, by: ends[0])
        #expect(throws: Violation.self) { try promises.heard(failure, by: ends[0]) }
    }

    @Test func `a reply that nobody gave is a violation`() throws {
        let ends = try Self.ends()
        var promises = try Self.asked(.message(1, expectsReply: true))
        let reply = CompanionEvent.messageFinished(Self.id, .replied(.data([1])))
        #expect(throws: Violation.self) { try promises.heard(reply, by: ends[0]) }
    }

    @Test func `a user info is handed over once, and unchanged`() throws {
        let ends = try Self.ends()
        var info = ReceivedUserInfo(
            id: Self.id, userInfo: LanePromises.content(1, 3), isComplication: false,
            wantsProcessed: false, isRepeated: false)
        var promises = try Self.asked(.userInfo(1, 3, wantsProcessed: false))
        try promises.heard(.receivedUserInfo(info), by: ends[1])
        #expect(throws: Violation.self) {
            try promises.heard(.receivedUserInfo(info), by: ends[1])
        }
        promises = try Self.asked(.userInfo(1, 3, wantsProcessed: false))
        info.userInfo = LanePromises.content(2, 3)
        #expect(throws: Violation.self) {
            try promises.heard(.receivedUserInfo(info), by: ends[1])
        }
    }

    @Test func `more bytes than a day's budget are a violation`() throws {
        var budgets = LaneBudgets(DeviceBudget(wakes: 1, bytes: 10))
        let part = PartFrame(
            id: Self.id, lane: .userInfo, floor: 1, flags: [], total: 11, offset: 0,
            bytes: [UInt8](repeating: 0, count: 11), file: nil)
        let frame = LaneFrame.part(part).encode()
        let moment = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1)
        #expect(throws: Violation.self) {
            try budgets.watch([.send(to: DeviceID(repeating: 1), frame)], of: 0, moment)
        }
    }

    @Test func `each defect of the platform is drawn and has a fault of its name`() throws {
        let scenario = try #require(Scenario.named("companion"))
        #expect(LaneDefect.all.count == PlatformFaults.named.count)
        var drawn: PlatformFaults = []
        for seed in UInt64(1)...30 {
            for action in PlanMaker.plan(scenario, seed: seed).actions {
                if case .lane(.faults(let profile)) = action.kind { drawn.formUnion(profile) }
            }
        }
        for defect in LaneDefect.all {
            #expect(drawn.contains(defect.profile))
            #expect(scenario.canHave(defect.kind))
        }
    }

    @Test func `a phone and its watch keep their promises, the same way each time`() throws {
        let scenario = try #require(Scenario.named("companion"))
        let (first, second) = (scenario.run(seed: 3), scenario.run(seed: 3))
        #expect(first.result == .ok)
        #expect(first.traceHash == second.traceHash)
        #expect(first.events > 100)
        #expect(first.coverage.faults.contains { $0 > 0 })
    }
}
