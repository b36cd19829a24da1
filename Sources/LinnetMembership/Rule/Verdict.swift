package import LinnetWire

/// All that a set of records comes to: a function of the set alone.
package struct Verdict: Equatable, Sendable {
    /// A device of the group.
    package struct Member: Equatable, Sendable {
        /// The record that admitted it.
        package let admission: MemberRecordID
        /// Its role now.
        package let role: Role
        /// The scopes that it may read now.
        package let scopes: ScopeGrant
    }

    /// A restriction, and who is for and against it.
    package struct Restriction: Equatable, Sendable {
        /// The devices that are counted for it, ascending.
        package let yes: [DeviceID]
        /// The devices that are counted against it, ascending.
        package let no: [DeviceID]
        /// True when its author signed another record beside it.
        package let isForked: Bool
        /// True when it has effect.
        package let stands: Bool
    }

    /// An epoch.
    package struct JudgedEpoch: Equatable, Sendable {
        /// Its record.
        package let id: EpochID
        /// Higher is newer.
        package let number: UInt64
        /// The members that have a box of the right size.
        package let holders: OrderedSet<DeviceID>
        /// The members that have a box and call the epoch bad.
        package let callers: OrderedSet<DeviceID>
        /// True when nobody but members, within what they may read, has a box.
        package let isSealed: Bool
        /// True when that holds, and no member with a box calls the epoch bad.
        package let isClean: Bool
        /// The reason for which it is not used; nil when it is usable.
        package let fault: EpochFault?

        /// True when it is clean and each member has its keys.
        package var isUsable: Bool { fault == nil }
    }

    /// The devices of the group.
    package let members: OrderedTable<DeviceID, Member>
    /// The records that are not good.
    package let void: OrderedSet<MemberRecordID>
    /// The restrictions.
    package let restrictions: OrderedTable<MemberRecordID, Restriction>
    /// The restrictions that stand.
    package var standing: [MemberRecordID] {
        restrictions.filter { $0.value.stands }.map(\.key)
    }
    /// The devices that went along with a removed one.
    package let lost: OrderedSet<DeviceID>
    /// The epochs of good records.
    package let judgedEpochs: OrderedTable<EpochID, JudgedEpoch>
    /// The batches that count, of each device that ever was admitted by a good record.
    package let batches: OrderedTable<DeviceID, CountedBatches>
    /// The recovery key in force.
    package let recovery: DeviceID?
    /// Each key that is or was one: that of genesis, and those that standing records name.
    package let recoveryKeys: OrderedSet<DeviceID>
    /// The records that freeze admission and rotation.
    package let freezing: OrderedSet<MemberRecordID>

    /// The newest epoch that is usable.
    package let currentEpoch: EpochID?

    /// Newest first.
    package var epochs: [JudgedEpoch] { judgedEpochs.values.sorted(by: JudgedEpoch.isNewer) }

    init(_ graph: RecordGraph, _ choice: Choice) {
        let outcome = choice.outcome
        var rights = OrderedTable<Int, Goodness.Rights>()
        var members = OrderedTable<DeviceID, Member>()
        var batches = OrderedTable<DeviceID, CountedBatches>()
        for (device, name) in graph.names.enumerated() {
            let now = outcome.goodness.rights(of: device)
            if let now, let admission = outcome.admission(of: device) {
                rights[device] = now
                members[name] = Member(
                    admission: graph.nodes[admission].id, role: now.role, scopes: now.scopes)
            }
            if now != nil {
                batches[name] = CountedBatches(of: device, rights[device], in: graph, outcome)
            }
        }
        self.members = members
        self.batches = batches
        void = OrderedSet(
            graph.order.filter { !outcome.goodness.isGood[$0] }.map { graph.nodes[$0].id })
        restrictions = OrderedTable(
            graph.restrictions.map { record in
                let ballot = choice.ballots[record] ?? Ballot()
                return (
                    graph.nodes[record].id,
                    Restriction(
                        yes: ballot.yes.map { graph.names[$0] }.sorted(),
                        no: ballot.no.map { graph.names[$0] }.sorted(),
                        isForked: ballot.isForked, stands: outcome.standing.stands[record])
                )
            })
        lost = OrderedSet(
            graph.names.indices.filter { !outcome.standing.losing[$0].isEmpty }
                .map { graph.names[$0] })
        let key = Self.recovery(graph, outcome.standing)
        recovery = key.map { graph.names[$0] }
        recoveryKeys = OrderedSet(
            graph.names.indices.filter { outcome.standing.isRecoveryKey[$0] }
                .map { graph.names[$0] })
        let epochs = EpochJudgement(graph, outcome, rights: rights, recovery: key).all
        judgedEpochs = OrderedTable(epochs.map { ($0.id, $0) })
        currentEpoch = epochs.filter(\.isUsable).min(by: JudgedEpoch.isNewer)?.id
        freezing = OrderedSet(
            graph.order.filter { record in
                let author = graph.nodes[record].author
                guard outcome.goodness.isGood[record],
                    rights[author]?.role == .admin || author == key
                else { return false }
                return switch graph.nodes[record].payload {
                case .genesis(let payload): payload.hasPolicy
                default: graph.nodes[record].isCritical
                }
            }.map { graph.nodes[$0].id })
    }

    /// The recovery key that no standing record replaced.
    private static func recovery(_ graph: RecordGraph, _ standing: Standing) -> Int? {
        for record in graph.order.reversed() {
            switch graph.nodes[record].payload {
            case .recovery(let certificate) where standing.stands[record]:
                if let key = graph.number(of: certificate.device), !standing.replaced(key) {
                    return key
                }
            case .genesis(let payload):
                if let key = payload.recovery.flatMap({ graph.number(of: $0.device) }),
                    !standing.replaced(key)
                {
                    return key
                }
            default: break
            }
        }
        return nil
    }
}

extension Verdict.JudgedEpoch {
    /// Returns true when an epoch counts as newer than another: it has the higher number, or the
    /// same and the lower identifier.
    static func isNewer(_ first: Self, than second: Self) -> Bool {
        first.number == second.number ? first.id < second.id : first.number > second.number
    }
}
