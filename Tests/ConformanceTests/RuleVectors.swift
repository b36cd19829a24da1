import LinnetWire

@testable import LinnetMembership

/// Sets of records, and who belongs to the group after each: the examples of the rule.
enum RuleVectors {
    static let t = KitDevice(name: "t", seed: 21)
    static let a = KitDevice(name: "a", seed: 22)
    static let b = KitDevice(name: "b", seed: 23)
    static let c = KitDevice(name: "c", seed: 24)
    static let d = KitDevice(name: "d", seed: 25)
    static let n = KitDevice(name: "n", seed: 26)
    static let helpers = (0..<4).map { KitDevice(name: "h\($0)", seed: UInt8(27 + $0)) }
    static let recovery = KitDevice(name: "recovery", seed: 31)
    static let newRecovery = KitDevice(name: "newRecovery", seed: 32)

    static func make() throws -> JSON {
        .array(try (duels() + restOfRule()).map { try sample($0.name, $0.scribe) })
    }

    private typealias Sample = (name: String, scribe: RuleScribe)

    // MARK: The twelve examples

    private static func duels() throws -> [Sample] {
        try [
            ("a removal with boxes for those who stay; its epoch is current", removal()),
            ("two removals of others beside each other; no epoch is usable", crossed()),
            ("an epoch with all boxes, then one with none", emptyEpoch()),
            ("two devices remove each other: the senior one stays", duel(of: [t, a], for: [])),
            ("a third device decides between the two", duel(of: [t, a, b], for: [b])),
            ("votes are changed, and count as they are last", changedVotes()),
            ("a removal on an old parent is a fork, and its author has no vote", oldParent()),
            ("helpers whom the accuser never accepted have no voice, and stay", helped(false)),
            ("the same, where the removal names them", helped(true)),
            ("a helper removes somebody, who votes against it", byHelper()),
            ("a removal on an old parent with nobody for it loses nobody", nobodyForIt()),
            ("what descends from a void record is not void for that", belowVoid()),
            ("the recovery key admits one device and removes two", recovered()),
        ]
    }

    private static func removal() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        try scribe.remove(b, by: a, sealedTo: [a, c])
        return scribe
    }

    private static func crossed() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c, d])
        let heads = scribe.heads
        try scribe.remove(c, by: a, sealedTo: [a, b, d], on: heads)
        try scribe.remove(d, by: b, sealedTo: [a, b, c], on: heads)
        return scribe
    }

    private static func emptyEpoch() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b])
        try scribe.epoch(by: a, sealedTo: [a, b])
        try scribe.epoch(by: b, sealedTo: [])
        return scribe
    }

    private static func duel(
        of devices: [KitDevice], for voters: [KitDevice]
    ) throws -> RuleScribe {
        var scribe = try RuleScribe.friends(devices)
        let heads = scribe.heads
        let one = try scribe.remove(t, by: a, on: heads)
        for voter in voters { try scribe.vote(voter, true, one, on: [one]) }
        try scribe.remove(a, by: t, on: heads)
        return scribe
    }

    private static func changedVotes() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([t, a, b, c])
        let heads = scribe.heads
        let one = try scribe.remove(t, by: a, on: heads)
        let other = try scribe.remove(a, by: t, on: heads)
        for voter in [b, c] {
            let first = try scribe.vote(voter, true, other, on: [other])
            try scribe.vote(voter, true, one, on: [one, first])
        }
        return scribe
    }

    private static func oldParent() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([t, a, b, c, d])
        let one = try scribe.remove(t, by: a)
        for voter in [b, c, d] { try scribe.vote(voter, true, one) }
        try scribe.remove(a, by: t, on: [scribe.records[1]])
        return scribe
    }

    private static func helped(_ areNamed: Bool) throws -> RuleScribe {
        var scribe = try RuleScribe.friends([t, a, b, c])
        for helper in helpers { try scribe.add(helper, by: t) }
        let heads = scribe.heads
        let one = try scribe.remove(t, by: a, with: areNamed ? helpers : [], on: heads)
        for voter in [b, c] { try scribe.vote(voter, true, one, on: [one]) }
        let other = try scribe.remove(a, by: t, on: heads)
        for helper in helpers { try scribe.vote(helper, true, other, on: [other]) }
        return scribe
    }

    private static func byHelper() throws -> RuleScribe {
        let helper = helpers[0]
        var scribe = try RuleScribe.friends([t, a, b, c])
        try scribe.add(helper, by: t)
        try scribe.accept([t, a, b, c, helper], by: helper)
        let heads = scribe.heads
        let one = try scribe.remove(t, by: a, on: heads)
        for voter in [b, c] { try scribe.vote(voter, true, one, on: [one]) }
        let other = try scribe.remove(a, by: helper, on: heads)
        try scribe.vote(a, false, other, on: [one, other])
        return scribe
    }

    private static func nobodyForIt() throws -> RuleScribe {
        var scribe = try RuleScribe(d)
        let admission = try scribe.add(t, by: d)
        for device in [a, b, c] { try scribe.add(device, by: d) }
        for device in [t, a, b, c] { try scribe.accept([d, t, a, b, c], by: device) }
        try scribe.remove(d, by: t, on: [admission])
        return scribe
    }

    private static func belowVoid() throws -> RuleScribe {
        var scribe = try duel(of: [t, a, b], for: [b])
        try scribe.add(n, by: a)
        return scribe
    }

    private static func recovered() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c], recovery: recovery)
        let heads = scribe.heads
        try scribe.remove(c, by: b, on: heads)
        let add = try scribe.add(n, by: recovery, on: heads)
        let first = try scribe.remove(a, by: recovery, on: [add])
        try scribe.remove(b, by: recovery, on: [first])
        return scribe
    }

    // MARK: Recovery keys, roles, late writes

    private static func restOfRule() throws -> [Sample] {
        try [
            ("a new recovery key, with one device for it; the old one is out", replacedKey()),
            ("two new recovery keys beside each other", replacedTwice()),
            ("a reader of one scope, what it wrote late, and a demoted admin", roles()),
            ("a leave, what the leaver signed beside it, and its removal", left()),
            ("heads of a removal, of its companion and of an extend: what counts", late()),
            ("a demoted admin admits a helper beside its demotion", demotedAdmits()),
            ("a reader's scopes as two demotions beside each other leave them", twoScopes()),
            ("a reader calls an epoch bad by a share of it for itself", complaint()),
            ("a member bound to a scope: its box by a share, and what of it counts", bound()),
            ("an unknown record freezes while its author is an admin", frozen()),
            ("the first key names a helper when another took its place", keyForHelper()),
            ("a key that no add let in votes, as a role record made it admin", keyVotes()),
        ]
    }

    private static func head(_ number: UInt8) -> BatchHead {
        BatchHead(
            incarnation: Bytes8(repeating: 1), scope: Bytes16(repeating: 2),
            sequence: UInt64(number), batch: Bytes32(repeating: number))
    }

    private static func replacedKey() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c], recovery: recovery)
        let heads = scribe.heads
        let key = try scribe.sign(
            recovery, .recovery(newRecovery.keys().certificate), on: heads)
        try scribe.vote(a, true, key, on: [key])
        // The old key says something beside that, and nobody hears it.
        try scribe.remove(b, by: recovery, on: heads)
        try scribe.add(n, by: newRecovery)
        try scribe.epoch(by: a, sealedTo: [a, b, c, n, newRecovery])
        return scribe
    }

    private static func replacedTwice() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c], recovery: recovery)
        let heads = scribe.heads
        let one = try scribe.sign(recovery, .recovery(newRecovery.keys().certificate), on: heads)
        try scribe.sign(recovery, .recovery(d.keys().certificate), on: heads)
        try scribe.vote(b, true, one, on: [one])
        return scribe
    }

    private static func roles() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        let scopes = ScopeGrant.some([Bytes16(repeating: 2)])
        try scribe.sign(
            a, .role(RolePayload(device: c.device, role: .reader, scopes: scopes, heads: [head(3)]))
        )
        let demotion = try scribe.sign(a, .role(RolePayload(device: b.device, role: .member)))
        try scribe.vote(c, true, demotion, on: [demotion])
        return scribe
    }

    private static func left() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        let heads = scribe.heads
        let leave = try scribe.remove(b, by: b, heads: [head(2)], on: heads)
        try scribe.add(d, by: b, on: [leave])
        try scribe.add(n, by: b, on: heads)
        try scribe.remove(b, by: a, sealedTo: [a, c], heads: [head(4)], on: [leave])
        return scribe
    }

    private static func late() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        try scribe.add(helpers[0], by: b)
        let with = RemovePayload.Companion(device: helpers[0].device, heads: [head(7)])
        let epoch = try scribe.epoch(by: a, sealedTo: [a, b, c, helpers[0]])
        let next = scribe.epoch([a, c], bad: [epoch], on: nil)
        let removal = try scribe.sign(
            a,
            .remove(
                RemovePayload(
                    device: b.device, reason: 0, with: [with], heads: [head(2)], epoch: next)))
        try scribe.vote(c, true, removal, on: [removal])
        try scribe.sign(c, .extend(ExtendPayload(device: b.device, heads: [head(5), head(9)])))
        return scribe
    }

    private static func demotedAdmits() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        let heads = scribe.heads
        let demotion = try scribe.sign(
            a, .role(RolePayload(device: b.device, role: .member)), on: heads)
        try scribe.vote(c, true, demotion, on: [demotion])
        try scribe.add(helpers[0], by: b, on: heads)
        try scribe.add(helpers[1], by: b)
        return scribe
    }

    private static func twoScopes() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        let heads = scribe.heads
        for (author, scopes) in [(a, [1, 2]), (b, [2, 3])] as [(KitDevice, [UInt8])] {
            let grant = ScopeGrant.some(scopes.map { Bytes16(repeating: $0) })
            try scribe.sign(
                author,
                .role(RolePayload(device: c.device, role: .reader, scopes: grant, heads: [])),
                on: heads)
        }
        return scribe
    }

    private static func bound() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        let grant = ScopeGrant.some([Bytes16(repeating: 2)])
        try scribe.sign(a, .extend(ExtendPayload(device: c.device, heads: [head(6)])))
        let binding = try scribe.sign(
            a, .role(RolePayload(device: c.device, role: .member, scopes: grant)))
        try scribe.vote(b, true, binding, on: [binding])
        let epoch = try scribe.epoch(by: a, sealedTo: [a, b])
        let box = [UInt8](repeating: 5, count: 128)
        try scribe.sign(
            a, .share(SharePayload(epoch: epoch.id, device: c.device, box: box)))
        // A bound device could read everything under keys that it draws itself.
        try scribe.epoch(by: c, sealedTo: [a, b])
        return scribe
    }

    /// A reader, which may start no epoch, calls the newest one bad.
    private static func complaint() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        let reader = try scribe.sign(
            a, .role(RolePayload(device: c.device, role: .reader, scopes: .all, heads: [])))
        try scribe.vote(b, true, reader, on: [reader])
        try scribe.epoch(by: a, sealedTo: [a, b, c])
        let newest = try scribe.epoch(by: b, sealedTo: [a, b, c])
        let box = [UInt8](repeating: 0, count: 80)
        try scribe.sign(
            c, .share(SharePayload(epoch: newest.id, device: c.device, box: box)))
        return scribe
    }

    private static func frozen() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b, c])
        let demotion = try scribe.sign(a, .role(RolePayload(device: c.device, role: .member)))
        try scribe.vote(b, true, demotion, on: [demotion])
        try scribe.sign(c, 9, [0xf6])
        try scribe.sign(b, 100, [0xf6])
        try scribe.sign(b, 200, [0xf6])
        return scribe
    }

    /// Whoever copied the founder's disk before the words were made has its first key.
    private static func keyForHelper() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([t, a, b, c], recovery: recovery)
        let genesis = scribe.records[0]
        let key = try scribe.sign(recovery, .recovery(newRecovery.keys().certificate))
        try scribe.vote(a, true, key, on: [key])
        for device in [t, c] {
            try scribe.sign(recovery, .recovery(device.keys().certificate), on: [genesis])
        }
        let heads = scribe.heads
        let one = try scribe.remove(t, by: a, on: heads)
        for voter in [b, c] { try scribe.vote(voter, true, one, on: [one]) }
        try scribe.remove(a, by: t, on: heads)
        return scribe
    }

    private static func keyVotes() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([a, b], recovery: recovery)
        let heads = scribe.heads
        let one = try scribe.sign(recovery, .recovery(newRecovery.keys().certificate), on: heads)
        let other = try scribe.sign(recovery, .recovery(n.keys().certificate), on: heads)
        try scribe.vote(a, false, one, on: [one])
        try scribe.vote(b, true, one, on: [one])
        try scribe.vote(n, true, other, on: [other])
        try scribe.sign(a, .role(RolePayload(device: n.device, role: .admin)))
        return scribe
    }

    // MARK: Facts

    private static func sample(_ name: String, _ scribe: RuleScribe) throws -> JSON {
        let log = try scribe.log
        return [
            "name": .text(name),
            "records": .array(log.records.map { .hex($0.encoded) }),
            "outcome": outcome(of: log.state.verdict),
        ]
    }

    /// All that a set of records comes to, in the order of names.
    static func outcome(of verdict: Verdict) -> JSON {
        [
            "members": .array(
                verdict.members.map { device, member in
                    [
                        "device": .hex(device.array), "role": .number(Int64(member.role.rawValue)),
                        "scopes": scopes(member.scopes), "admission": .hex(member.admission.array),
                    ]
                }),
            "void": ids(verdict.void.elements),
            "restrictions": .array(
                verdict.restrictions.map { id, judged in
                    [
                        "record": .hex(id.array), "stands": .bool(judged.stands),
                        "isForked": .bool(judged.isForked), "for": ids(judged.yes),
                        "against": ids(judged.no),
                    ]
                }),
            "lost": ids(verdict.lost.elements),
            "recoveryKey": verdict.recovery.map { .hex($0.array) } ?? .null,
            "usableEpochs": ids(verdict.epochs.filter(\.isUsable).map(\.id)),
            "currentEpoch": verdict.currentEpoch.map { .hex($0.array) } ?? .null,
            "freezing": ids(verdict.freezing.elements),
            "batches": .array(
                verdict.batches.map { device, counted in
                    ["device": .hex(device.array), "counts": counts(counted)]
                }),
        ]
    }

    private static func ids(_ ids: [Bytes32]) -> JSON { .array(ids.map { .hex($0.array) }) }

    private static func scopes(_ grant: ScopeGrant) -> JSON {
        switch grant {
        case .all: .null
        case .some(let scopes): .array(scopes.map { .hex($0.array) })
        }
    }

    private static func counts(_ counted: CountedBatches) -> JSON {
        switch counted {
        case .none: "none"
        case .all: "all"
        case .upTo(let heads): list(heads)
        case .within(let scopes, let heads):
            ["scopes": .array(scopes.map { .hex($0.array) }), "heads": list(heads)]
        }
    }

    private static func list(_ heads: [BatchHead]) -> JSON {
        .array(
            heads.map { head in
                [
                    "incarnation": .hex(head.incarnation.array),
                    "scope": .hex(head.scope.array), "seq": JSON(head.sequence),
                    "batch": .hex(head.batch.array),
                ]
            })
    }
}
