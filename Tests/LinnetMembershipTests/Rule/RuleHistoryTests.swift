import LinnetMembership
import LinnetWire
import MembershipReference
import Testing

/// Histories that nobody thought of.
struct RuleHistoryTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random histories come to what the page says`(batch: UInt64) throws {
        for seed in batch * 50..<batch * 50 + 50 {
            let history = try RandomHistory(seed: seed, steps: 26)
            let verdict = try history.story.verdict
            let reference = RuleReference(history.entries)
            let standing = verdict.restrictions.filter { $0.value.stands }.map(\.key)
            #expect(Set(standing) == reference.standing, "seed \(seed)")
            let void = Set(history.entries.map(\.id)).subtracting(reference.good)
            #expect(Set(verdict.void.elements) == void, "seed \(seed)")
            let lost = reference.lost.values.reduce(into: Set<DeviceID>()) { $0.formUnion($1) }
            #expect(Set(verdict.lost.elements) == lost, "seed \(seed)")
            let members = reference.devices.filter(reference.isMember)
            #expect(Set(verdict.members.keys) == members, "seed \(seed)")
            for device in members {
                let role = try #require(reference.role(of: device, at: nil))
                let member = try #require(verdict.members[device])
                #expect(member.role == role.0 && member.scopes == role.1, "seed \(seed)")
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `every order of arrival comes to the same`(seed: UInt64) throws {
        let history = try RandomHistory(seed: 70_000 + seed, steps: 30)
        let expected = try history.story.verdict
        for order in 0..<8 as Range<UInt64> {
            var waiting = shuffled(history.story.records, seed: seed * 100 + order)
            var held: Set<MemberRecordID> = []
            var records: [MemberRecord] = []
            while !waiting.isEmpty {
                let index = try #require(
                    waiting.firstIndex { $0.parents.allSatisfy(held.contains) })
                let record = waiting.remove(at: index)
                held.insert(record.id)
                records.append(record)
            }
            #expect(judge(records) == expected)
        }
    }
}
