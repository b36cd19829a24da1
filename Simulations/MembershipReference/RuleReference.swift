package import LinnetMembership
package import LinnetWire

/// The rule of `docs/protocol.md`, "Who is a member", as it is written there: sets of identifiers
/// and sentences, nothing kept from one question to the next. It is slow.
package final class RuleReference {
    /// The content of a record, as far as the rule looks at it.
    package enum Says {
        /// Genesis, with the recovery key that it names.
        case founds(DeviceID, DeviceID?)
        /// An add.
        case admits(DeviceID, Role)
        /// A remove, with the devices that go along.
        case removes(DeviceID, with: [DeviceID])
        /// A role record.
        case ranks(DeviceID, Role, ScopeGrant)
        /// A vote.
        case opines(Bool, MemberRecordID)
        /// A new recovery key.
        case renews(DeviceID)
        /// An epoch.
        case begins
        /// More batches that count.
        case extends
        /// A box for one more device.
        case shares(DeviceID)
        /// A critical record that is not understood.
        case unknown
        /// A record that means nothing here.
        case nothing
    }

    /// A record.
    package struct Entry {
        /// Its name.
        package let id: MemberRecordID
        /// One above the latest parent's.
        package let lamport: UInt64
        /// The device that signed it.
        package let author: DeviceID
        /// The records that it follows.
        package let parents: [MemberRecordID]
        /// Its content.
        package let says: Says

        /// A record.
        package init(
            id: MemberRecordID, lamport: UInt64, author: DeviceID, parents: [MemberRecordID],
            says: Says
        ) {
            self.id = id
            self.lamport = lamport
            self.author = author
            self.parents = parents
            self.says = says
        }
    }

    var entries: [MemberRecordID: Entry] = [:]
    var inOrder: [Entry] = []
    private var ancestors: [MemberRecordID: Set<MemberRecordID>] = [:]
    /// The restrictions that stand.
    package private(set) var standing: Set<MemberRecordID> = []
    /// The devices that each remove has lost.
    package private(set) var lost: [MemberRecordID: Set<DeviceID>] = [:]
    /// The records that are good.
    package private(set) var good: Set<MemberRecordID> = []
    private var aside: Set<MemberRecordID> = []

    /// Judges these records.
    package init(_ entries: [Entry]) {
        inOrder = entries.sorted { ($0.lamport, $0.id) < ($1.lamport, $1.id) }
        for entry in inOrder {
            self.entries[entry.id] = entry
            ancestors[entry.id] = entry.parents.reduce(into: Set(entry.parents)) {
                $0.formUnion(ancestors[$1] ?? [])
            }
        }
        choose()
    }

    // MARK: Descent

    func before(_ one: MemberRecordID, _ other: MemberRecordID) -> Bool {
        ancestors[other]?.contains(one) ?? false
    }

    func concurrent(_ one: MemberRecordID, _ other: MemberRecordID) -> Bool {
        one != other && !before(one, other) && !before(other, one)
    }

    /// Those of some records that no other of them is before.
    private func earliest(_ some: [Entry]) -> [Entry] {
        some.filter { one in !some.contains { before($0.id, one.id) } }
    }

    // MARK: Who says what

    func isRestriction(_ entry: Entry) -> Bool {
        switch entry.says {
        case .removes, .renews: true
        case .ranks(_, let role, _): role != .admin
        default: false
        }
    }

    func target(_ entry: Entry) -> DeviceID? {
        switch entry.says {
        case .removes(let device, _), .ranks(let device, _, _): device
        default: nil
        }
    }

    /// The adds of a device, or what names a recovery key.
    func adds(of device: DeviceID) -> [Entry] {
        inOrder.filter {
            switch $0.says {
            case .founds(let creator, let key): creator == device || key == device
            case .admits(let admitted, _): admitted == device
            case .renews(let key): key == device
            default: false
            }
        }
    }

    /// True for the key that genesis names, and for each that a standing record names.
    func isRecoveryKey(_ device: DeviceID) -> Bool {
        inOrder.contains {
            switch $0.says {
            case .founds(let creator, let key): key == device && creator != device
            case .renews(let key): key == device && standing.contains($0.id)
            default: false
            }
        }
    }

    func own(_ device: DeviceID) -> [Entry] { inOrder.filter { $0.author == device } }

    /// The devices that were ever admitted, by whomever.
    package var devices: Set<DeviceID> {
        var all: Set<DeviceID> = []
        for entry in inOrder {
            switch entry.says {
            case .founds(let creator, _): all.insert(creator)
            case .admits(let device, _): all.insert(device)
            default: break
            }
        }
        return all
    }

    // MARK: 1. Acceptance

    /// Acceptance of one device by another.
    package func accepts(_ one: DeviceID, _ other: DeviceID) -> Bool {
        if one == other { return true }
        let firstOwn = earliest(own(one))
        let firstAdds = earliest(adds(of: one))
        for add in adds(of: other) {
            if firstOwn.contains(where: { before(add.id, $0.id) }) { return true }
            if add.author == one { return true }
            if !firstAdds.isEmpty, firstAdds.allSatisfy({ before(add.id, $0.id) }) { return true }
            for vote in own(one) {
                guard case .opines(true, add.id) = vote.says else { continue }
                switch add.says {
                case .admits: return true
                case .founds(other, _): return true
                default: break
                }
            }
        }
        return false
    }

    // MARK: 2. Good

    func isBarred(_ x: Entry) -> Bool {
        for id in standing {
            guard let restriction = entries[id] else { continue }
            switch restriction.says {
            case .removes(let device, _):
                if restriction.author == device {
                    if x.author == device, before(id, x.id) { return true }
                } else if x.author == device, !before(x.id, id) {
                    return true
                }
                if lost[id]?.contains(x.author) == true, restriction.author != x.author,
                    !before(x.id, id)
                {
                    return true
                }
            case .renews:
                if restriction.author == x.author, id != x.id, !before(x.id, id) { return true }
            default: break
            }
        }
        return false
    }

    /// The role there of a device at a record, or now; `isKnown` is by the records before it alone.
    package func role(
        of device: DeviceID, at x: Entry?, isKnown: Bool = false
    ) -> (Role, ScopeGrant)? {
        let seen = inOrder.filter { entry in
            good.contains(entry.id) && (x.map { before(entry.id, $0.id) } ?? true)
        }
        var ranks: [Role] = []
        for entry in seen {
            switch entry.says {
            case .founds(device, _): ranks.append(.admin)
            case .admits(device, let role): ranks.append(role)
            default: break
            }
        }
        guard var role = ranks.max(by: { Self.low($0) < Self.low($1) }) else { return nil }
        var scopes = ScopeGrant.all
        let changes = seen.filter { entry in
            if case .ranks(device, _, _) = entry.says { return true }
            return false
        }
        let latest = changes.filter { one in !changes.contains { before(one.id, $0.id) } }
        if !latest.isEmpty {
            let given = latest.compactMap { entry -> (Role, ScopeGrant)? in
                guard case .ranks(_, let role, let scopes) = entry.says else { return nil }
                return (role, scopes)
            }
            role = given.map(\.0).min(by: { Self.low($0) < Self.low($1) }) ?? role
            for (_, more) in given { scopes = Self.both(scopes, more) }
        }
        guard let x, !isKnown else { return (role, scopes) }
        for id in standing where concurrent(id, x.id) {
            guard let demotion = entries[id],
                case .ranks(device, let lower, let more) = demotion.says,
                demotion.author != device
            else { continue }
            if Self.low(lower) < Self.low(role) { role = lower }
            scopes = Self.both(scopes, more)
        }
        return (role, scopes)
    }

    func mayRecover(_ x: Entry) -> Bool {
        inOrder.contains { source in
            guard before(source.id, x.id) else { return false }
            switch source.says {
            case .founds(let creator, x.author): return creator != x.author
            case .renews(x.author): return standing.contains(source.id)
            default: return false
            }
        }
    }

    func suffices(_ x: Entry) -> Bool {
        if case .founds = x.says { return true }
        if mayRecover(x) {
            switch x.says {
            case .admits, .removes, .ranks, .extends, .renews, .unknown: return true
            default: return false
            }
        }
        guard let (role, scopes) = role(of: x.author, at: x) else { return false }
        switch x.says {
        case .admits, .ranks, .extends, .unknown: return role == .admin
        case .removes(let device, _): return role == .admin || device == x.author
        case .begins: return (role == .admin || role == .member) && scopes == .all
        case .shares(x.author): return true
        case .shares: return role != .relay && scopes == .all
        case .opines, .nothing: return true
        case .founds, .renews: return false
        }
    }

    func isAllowed(_ x: Entry) -> Bool { !isBarred(x) && suffices(x) }

    private func findGood() {
        good = standing
        for x in inOrder where !isRestriction(x) && isAllowed(x) {
            if case .admits(let device, _) = x.says {
                if isRecoveryKey(device) { continue }
                let wasAdmitted = adds(of: device).contains { other in
                    if case .founds = other.says { return true }
                    return good.contains(other.id) && before(other.id, x.id)
                }
                if wasAdmitted { continue }
            }
            good.insert(x.id)
        }
    }

    // MARK: 6. With

    func takenBack() -> [MemberRecordID: Set<MemberRecordID>] {
        var back: [MemberRecordID: Set<MemberRecordID>] = [:]
        for id in standing {
            guard let remove = entries[id], case .removes(let device, let with) = remove.says else {
                continue
            }
            for entry in inOrder {
                guard case .admits(let admitted, _) = entry.says, with.contains(admitted),
                    entry.author == device || lost[id]?.contains(entry.author) == true
                else { continue }
                back[id, default: []].insert(entry.id)
            }
        }
        return back
    }

    func isAdmitted(_ device: DeviceID) -> Bool {
        let back = takenBack().values.reduce(into: Set<MemberRecordID>()) { $0.formUnion($1) }
        return inOrder.contains { entry in
            guard good.contains(entry.id), !back.contains(entry.id) else { return false }
            switch entry.says {
            case .founds(device, _), .admits(device, _): return true
            default: return false
            }
        }
    }

    private func settle() {
        while true {
            findGood()
            var found = false
            var goesOn = true
            while goesOn {
                goesOn = false
                let back = takenBack()
                let gone = devices.filter { !isAdmitted($0) }
                for (id, adds) in back {
                    for add in adds {
                        guard case .admits(let device, _)? = entries[add]?.says,
                            gone.contains(device), lost[id]?.contains(device) != true
                        else { continue }
                        lost[id, default: []].insert(device)
                        goesOn = true
                        found = true
                    }
                }
            }
            if !found { return }
        }
    }

    // MARK: 7. Members

    /// True for a member.
    package func isMember(_ device: DeviceID) -> Bool {
        for id in standing {
            if lost[id]?.contains(device) == true { return false }
            if let remove = entries[id], case .removes(device, _) = remove.says { return false }
        }
        return isAdmitted(device)
    }

    // MARK: 5. Choose

    private func choose() {
        settle()
        while true {
            var counted: [(entry: Entry, votes: RuleReferenceVotes)] = []
            for entry in inOrder where isRestriction(entry) {
                guard !standing.contains(entry.id), !aside.contains(entry.id), isAllowed(entry)
                else { continue }
                let votes = RuleReferenceVotes(on: entry, in: self)
                if votes.upholds { counted.append((entry, votes)) }
            }
            let ready = counted.filter { one in
                !counted.contains { other in
                    guard case .removes(one.entry.author, _) = other.entry.says else {
                        return false
                    }
                    return before(other.entry.id, one.entry.id)
                }
            }
            guard let first = ready.min(by: { $0.votes.strength < $1.votes.strength }) else {
                return
            }
            let (oldLost, oldGood) = (lost, good)
            standing.insert(first.entry.id)
            settle()
            let hasAdmin = devices.contains { isMember($0) && role(of: $0, at: nil)?.0 == .admin }
            if !hasAdmin, !mayRecover(first.entry) {
                standing.remove(first.entry.id)
                (lost, good) = (oldLost, oldGood)
                aside.insert(first.entry.id)
            }
        }
    }
}
