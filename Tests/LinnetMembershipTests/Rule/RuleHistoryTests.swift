import Foundation
import LinnetWire
import MembershipReference
import Testing

@testable import LinnetMembership

/// Histories that nobody thought of.
struct RuleHistoryTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random histories come to what the page says`(batch: UInt64) throws {
        for seed in batch * 50..<batch * 50 + 50 {
            try compare(RandomHistory(seed: seed, steps: 26).story.records, "seed \(seed)")
        }
    }

    @Test func `a leave vouches for its author whose admission is void since`() throws {
        try compare(RandomHistory(seed: 7_000_048, steps: 48).story.records, "seed 7,000,048")
    }

    @Test func `a key that a role record made admin, and no add let in, has a vote`() throws {
        try compare(RandomHistory(seed: 2_001_206, steps: 40).story.records, "seed 2,001,206")
    }

    @Test func `the first box for a device is that of the order, not of the arrival`() throws {
        try compare(RandomHistory(seed: 2_005_426, steps: 36).story.records, "seed 2,005,426")
    }

    @Test func `a log stores each record of a random history`() throws {
        let records = try RandomHistory(seed: 2_003_058, steps: 44).story.records
        var log = try MembershipLog(genesis: records[0])
        for record in records.dropFirst() { _ = try log.insert(record) }
        #expect(log.records.count == records.count)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `every order of arrival comes to the same, and each part to what the page says of it`(
        seed: UInt64
    ) throws {
        let history = try RandomHistory(seed: 70_000 + seed, steps: 30)
        let expected = try history.story.verdict
        let records = history.story.records
        for order in 0..<4 as Range<UInt64> {
            var log = try MembershipLog(genesis: records[0])
            for record in shuffled(Array(records.dropFirst()), seed: seed * 100 + order) {
                _ = try log.insert(record)
                if log.records.count.isMultiple(of: 9) {
                    let part = log.records
                    #expect(log.state.verdict == judge(part))
                    try compare(part, "seed \(seed), order \(order), \(part.count) records")
                }
            }
            #expect(log.records.count == records.count)
            #expect(log.state.verdict == expected, "seed \(seed), order \(order)")
        }
    }

    /// The histories that `scripts/checks histories` asks for: the first seed, how many, and the
    /// file in which another program finds them.
    private static let asked: [String] =
        (ProcessInfo.processInfo.environment["LINNET_HISTORIES"] ?? "").split(separator: " ")
        .map(String.init)

    @Test(.enabled(if: !RuleHistoryTests.asked.isEmpty))
    func `histories that are asked for, whole and in part, are told to another program`() throws {
        try #require(Self.asked.count == 3)
        let first = try #require(UInt64(Self.asked[0]))
        let count = try #require(UInt64(Self.asked[1]))
        let file = try #require(HistoryLines(appendingTo: Self.asked[2]))
        for seed in first..<first + count {
            let steps = 20 + Int(seed % 33)
            let records = try RandomHistory(seed: seed, steps: steps).story.records
            // First, so that the other program can be asked where these two disagree.
            try #require(file.write("seed \(seed)", records, judge(records)))
            try compare(records, "seed \(seed)")
            var log = try MembershipLog(genesis: records[0])
            let arriving = shuffled(Array(records.dropFirst()), seed: seed)
            for record in arriving.prefix(arriving.count * 2 / 3) { _ = try log.insert(record) }
            let part = log.records
            #expect(log.state.verdict == judge(part), "part of seed \(seed)")
            try #require(file.write("part of seed \(seed)", part, log.state.verdict))
            try compare(part, "part of seed \(seed)")
        }
    }

    /// Holds what some records come to against the reference.
    private func compare(_ records: [MemberRecord], _ place: Comment) throws {
        let verdict = judge(records)
        let group = GroupReference(records)
        let rule = group.rule
        let standing = verdict.restrictions.filter { $0.value.stands }.map(\.key)
        #expect(Set(standing) == rule.standing, place)
        #expect(
            Set(verdict.void.elements) == Set(records.map(\.id)).subtracting(rule.good), place)
        let lost = rule.lost.values.reduce(into: Set<DeviceID>()) { $0.formUnion($1) }
        #expect(Set(verdict.lost.elements) == lost, place)
        #expect(verdict.members.map { $0.key }.sorted() == group.members.keys.sorted(), place)
        for (device, member) in verdict.members {
            #expect(member.role == group.members[device], place)
            #expect(member.scopes == group.scopes(of: device), place)
        }
        #expect(verdict.recovery == group.recoveryKey, place)
        #expect(verdict.currentEpoch == group.current, place)
        #expect(verdict.judgedEpochs.count == group.epochs.count, place)
        for epoch in group.epochs {
            let judged = try #require(verdict.judgedEpochs[epoch.id], place)
            #expect(
                [judged.isSealed, judged.isClean, judged.isUsable]
                    == [epoch.isSealed, epoch.isClean, epoch.isUsable], place)
        }
        #expect(Set(verdict.freezing.elements) == group.freezing, place)
        for device in rule.devices {
            #expect(counted(verdict.batches[device]) == group.counted(of: device), place)
        }
    }

    private func counted(_ batches: CountedBatches?) -> GroupReference.Counted {
        switch batches {
        case nil, .some(.none): .upTo([])
        case .all: .all
        case .upTo(let heads): .upTo(heads)
        case .within(let scopes, let heads): .within(scopes, heads)
        }
    }
}
