import LinnetWire

/// The epochs of the records, and which of them may be used.
struct EpochJudgement {
    private let graph: RecordGraph
    private let outcome: Choice.Outcome
    /// The rights of each member.
    private let rights: OrderedTable<Int, Goodness.Rights>
    private let recovery: Int?
    /// By epoch: the boxes that good adds and shares hand out, in order.
    private var handed = OrderedTable<EpochID, [(device: Int, bytes: Int)]>()
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
                    handed[payload.epoch, default: []].append((target, payload.box.count))
                }
            case .share(let payload):
                if let target {
                    handed[payload.epoch, default: []].append((target, payload.box.count))
                }
            case .epoch(let payload): payloads.append((record, payload))
            case .remove(let payload):
                if let epoch = payload.epoch { payloads.append((record, epoch)) }
            default: break
            }
        }
    }

    /// Every epoch, in order of its record.
    var all: [Verdict.JudgedEpoch] {
        var calls = OrderedTable<EpochID, [Int]>()
        for (record, payload) in payloads {
            for bad in payload.bad { calls[bad, default: []].append(graph.nodes[record].author) }
        }
        return payloads.map { record, payload in
            judged(record, payload, calledBadBy: calls[graph.nodes[record].id] ?? [])
        }
    }

    private func judged(
        _ record: Int, _ payload: EpochPayload, calledBadBy callers: [Int]
    ) -> Verdict.JudgedEpoch {
        let id = graph.nodes[record].id
        var fault: EpochFault?
        var boxed = OrderedSet<Int>()
        let listed = payload.boxes.map { ($0.key, bytes: $0.value.count) }
        let more = (handed[id] ?? []).map { (graph.names[$0.device], bytes: $0.bytes) }
        for (name, bytes) in listed + more where name != recovery.map({ graph.names[$0] }) {
            if let device = graph.number(of: name), let rights = rights[device],
                bytes <= rights.scopes.boxBytes(rights.role)
            {
                boxed.insert(device)
            } else if fault == nil {
                fault = .sealedToStranger(name)
            }
        }
        let isSealed = fault == nil
        if let caller = callers.first(where: boxed.contains), fault == nil {
            fault = .calledBad(by: graph.names[caller])
        }
        let isClean = fault == nil
        var holders = OrderedSet<DeviceID>()
        for (device, rights) in rights {
            let name = graph.names[device]
            let bytes =
                payload.boxes[name]?.count
                ?? handed[id]?.first { $0.device == device }?.bytes
            if bytes == rights.scopes.boxBytes(rights.role) {
                holders.insert(name)
            } else if fault == nil {
                fault = .leavesOut(name)
            }
        }
        return Verdict.JudgedEpoch(
            id: id, number: payload.number, holders: holders, isSealed: isSealed,
            isClean: isClean, fault: fault)
    }
}
