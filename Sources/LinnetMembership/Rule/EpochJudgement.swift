import LinnetWire

/// The epochs of the records, and which of them may be used.
struct EpochJudgement {
    private let graph: RecordGraph
    private let outcome: Choice.Outcome
    /// The rights of each member.
    private let rights: OrderedTable<Int, Goodness.Rights>
    private let recovery: Int?
    /// A box that a good add or share hands out.
    private struct Box {
        let device: Int
        let bytes: Int
        /// The scopes that its author knew the device to have.
        let scopes: ScopeGrant
    }

    /// By epoch: the boxes that good adds and shares hand out, in order.
    private var handed = OrderedTable<EpochID, [Box]>()
    /// By epoch: the devices that call it bad, in an epoch of their own or by a share of it for
    /// themselves.
    private var calls = OrderedTable<EpochID, [Int]>()
    private var payloads: [(record: Int, payload: EpochPayload)] = []

    init(
        _ graph: RecordGraph, _ outcome: Choice.Outcome,
        rights: OrderedTable<Int, Goodness.Rights>, recovery: Int?
    ) {
        (self.graph, self.outcome, self.rights) = (graph, outcome, rights)
        self.recovery = recovery
        for record in graph.order where outcome.goodness.isGood[record] {
            let target = graph.nodes[record].target
            switch graph.nodes[record].payload {
            case .add(let payload):
                if let target {
                    handed[payload.epoch, default: []].append(
                        Box(device: target, bytes: payload.box.count, scopes: .all))
                }
            case .share(let payload) where target == graph.nodes[record].author:
                calls[payload.epoch, default: []].append(graph.nodes[record].author)
            case .share(let payload):
                if let target {
                    let known = outcome.goodness.knownRights(of: target, at: record)
                    handed[payload.epoch, default: []].append(
                        Box(
                            device: target, bytes: payload.box.count,
                            scopes: known?.scopes ?? .all))
                }
            case .epoch(let payload): payloads.append((record, payload))
            case .remove(let payload):
                if let epoch = payload.epoch { payloads.append((record, epoch)) }
            default: break
            }
        }
        for (record, payload) in payloads {
            for bad in payload.bad { calls[bad, default: []].append(graph.nodes[record].author) }
        }
    }

    /// Every epoch, in order of its record.
    var all: [Verdict.JudgedEpoch] {
        payloads.map { record, payload in
            judged(record, payload, calledBadBy: calls[graph.nodes[record].id] ?? [])
        }
    }

    /// True when a box of this size, sealed for these scopes, holds no more than a device with
    /// these rights may have. A box with the whole data key is smaller than one for a scope.
    private static func allows(
        _ rights: Goodness.Rights, _ bytes: Int, for scopes: ScopeGrant
    ) -> Bool {
        guard bytes > Role.relay.boxBytes else { return true }
        guard rights.role.reads, rights.scopes != .all else {
            return bytes <= rights.scopes.boxBytes(rights.role)
        }
        return ScopeGrant.isBoxOfScopes(bytes) && rights.scopes.covers(scopes)
            && bytes <= scopes.boxBytes(rights.role)
    }

    /// True when a device with these rights gets the keys of some scopes.
    private static func binds(_ rights: Goodness.Rights) -> Bool {
        rights.scopes != .all && rights.role.reads
    }

    private func judged(
        _ record: Int, _ payload: EpochPayload, calledBadBy callers: [Int]
    ) -> Verdict.JudgedEpoch {
        let id = graph.nodes[record].id
        var fault: EpochFault?
        var boxed = OrderedSet<Int>()
        let listed = payload.boxes.map {
            ($0.key, bytes: $0.value.count, scopes: ScopeGrant.all)
        }
        let more = (handed[id] ?? []).map { (graph.names[$0.device], $0.bytes, $0.scopes) }
        for (name, bytes, scopes) in listed + more
        where name != recovery.map({ graph.names[$0] }) {
            if let device = graph.number(of: name), let rights = rights[device],
                Self.allows(rights, bytes, for: scopes)
            {
                boxed.insert(device)
            } else if fault == nil {
                fault = .sealedToStranger(name)
            }
        }
        let isSealed = fault == nil
        let refusing = callers.filter(boxed.contains).map { graph.names[$0] }
        if fault == nil, let caller = refusing.min() { fault = .calledBad(by: caller) }
        let isClean = fault == nil
        var holders = OrderedSet<DeviceID>()
        for (device, rights) in rights {
            let name = graph.names[device]
            let right = rights.scopes.boxBytes(rights.role)
            let isHeld: Bool
            if Self.binds(rights) {
                isHeld =
                    handed[id]?.contains {
                        $0.device == device && $0.bytes == right && $0.scopes == rights.scopes
                    } ?? false
            } else {
                let bytes =
                    payload.boxes[name]?.count
                    ?? handed[id]?.first { $0.device == device }?.bytes
                isHeld = bytes == right
            }
            if isHeld { holders.insert(name) }
        }
        // The numbers of devices follow the order of arrival, their names do not.
        let leftOut = rights.keys.map { graph.names[$0] }.filter { !holders.contains($0) }.min()
        if fault == nil, let leftOut {
            fault = .leavesOut(leftOut)
        }
        return Verdict.JudgedEpoch(
            id: id, number: payload.number, holders: holders, callers: OrderedSet(refusing),
            isSealed: isSealed, isClean: isClean, fault: fault)
    }
}
