import LinnetMembership
import LinnetWire

/// Steps 3 and 4 for one restriction.
struct RuleReferenceVotes {
    /// Ascending is from strong to weak.
    struct Strength: Comparable {
        let numbers: [Int]
        let lamport: UInt64
        let id: MemberRecordID

        static func < (one: Strength, other: Strength) -> Bool {
            if one.numbers != other.numbers {
                return one.numbers.lexicographicallyPrecedes(other.numbers)
            }
            return (one.lamport, one.id) < (other.lamport, other.id)
        }
    }

    let upholds: Bool
    let strength: Strength

    init(on restriction: RuleReference.Entry, in group: RuleReference) {
        let target = group.target(restriction)
        func rival(_ entry: RuleReference.Entry) -> Bool {
            group.isRestriction(entry) && target != nil
                && group.target(entry) == restriction.author && entry.author == target
                && group.concurrent(entry.id, restriction.id)
        }
        func word(_ entry: RuleReference.Entry) -> Bool? {
            if entry.id == restriction.id { return true }
            if rival(entry) { return false }
            guard case .opines(let isFor, let id) = entry.says, let about = group.entries[id] else {
                return nil
            }
            if isFor { return id == restriction.id ? true : rival(about) ? false : nil }
            if id == restriction.id { return false }
            let isSame =
                target != nil && group.isRestriction(about) && group.target(about) == target
                && about.author == restriction.author
            return isSame ? false : nil
        }
        func isFork(_ entry: RuleReference.Entry) -> Bool {
            group.own(entry.author).contains {
                group.concurrent($0.id, entry.id) && !group.isBarred($0)
            }
        }
        var yes: Set<DeviceID> = []
        var no: Set<DeviceID> = []
        let authors = Set(group.inOrder.map(\.author))
        for device in authors where Self.hasVote(device, in: group) {
            let words = group.own(device).filter {
                word($0) != nil && !group.isBarred($0) && !isFork($0)
            }
            guard let latest = words.last, let isYes = word(latest) else { continue }
            guard let target else {
                if isYes { yes.insert(device) } else { no.insert(device) }
                continue
            }
            if isYes {
                let counts =
                    device == target
                    ? restriction.author == target : group.accepts(target, device)
                if counts { yes.insert(device) }
            } else if device == target || group.accepts(restriction.author, device) {
                no.insert(device)
            }
        }
        upholds = Self.upholds(restriction, yes: yes, no: no, isFork(restriction), in: group)
        strength = Strength(
            numbers: [
                Self.grade(restriction, in: group), no.count - yes.count, -yes.count,
                Self.seniority(restriction.author, in: group),
            ], lamport: restriction.lamport, id: restriction.id)
    }

    private static func grade(
        _ restriction: RuleReference.Entry, in group: RuleReference
    ) -> Int {
        if case .renews = restriction.says { return 0 }
        if group.mayRecover(restriction) { return 1 }
        if case .removes(restriction.author, _) = restriction.says { return 2 }
        return 3
    }

    private static func upholds(
        _ restriction: RuleReference.Entry, yes: Set<DeviceID>, no: Set<DeviceID>, _ isFork: Bool,
        in group: RuleReference
    ) -> Bool {
        if group.mayRecover(restriction) { return true }
        switch restriction.says {
        case .removes(restriction.author, _): return true
        case .ranks(restriction.author, let role, _):
            if let now = group.role(of: restriction.author, at: restriction)?.0,
                RuleReference.low(role) < RuleReference.low(now)
            {
                return true
            }
        default: break
        }
        if isFork, yes.isEmpty { return false }
        if yes.count != no.count { return yes.count > no.count }
        let senior = yes.union(no).min {
            seniority($0, in: group) < seniority($1, in: group)
        }
        guard let senior else { return true }
        return yes.contains(senior)
    }

    private static func seniority(_ device: DeviceID, in group: RuleReference) -> Int {
        let first = group.adds(of: device).first
        return group.inOrder.firstIndex { $0.id == first?.id } ?? .max
    }

    private static func hasVote(_ device: DeviceID, in group: RuleReference) -> Bool {
        guard !group.isRecoveryKey(device) else { return false }
        return group.inOrder.contains {
            switch $0.says {
            case .founds(device, _): true
            case .admits(device, let role): role == .admin || role == .member
            case .ranks(device, let role, _): role == .admin || role == .member
            default: false
            }
        }
    }
}
