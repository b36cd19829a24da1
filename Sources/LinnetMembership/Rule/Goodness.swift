/// The records that are good, given the restrictions that stand.
struct Goodness {
    /// The rights that a device has at a record.
    struct Rights: Equatable {
        var role: Role
        var scopes: ScopeGrant
    }

    private let graph: RecordGraph
    private let standing: Standing
    /// By record.
    private(set) var isGood: [Bool]
    /// By record: true when its author is not barred and has the right to it.
    private(set) var isEntitled: [Bool]

    init(_ graph: RecordGraph, _ standing: Standing) {
        self.graph = graph
        self.standing = standing
        isGood = standing.stands
        isEntitled = Array(repeating: false, count: graph.nodes.count)
        for record in graph.order { judge(record) }
    }

    /// Judges one more record, after all that come before it in the order.
    mutating func judge(_ record: Int) {
        isEntitled[record] = standing.allows(record) && mayAuthor(record)
        guard isEntitled[record] else { return }
        switch graph.nodes[record].payload {
        case .remove, .recovery: break
        case .role(let payload) where payload.role != .admin: break
        case .add: isGood[record] = admitsAnew(record)
        default: isGood[record] = true
        }
    }

    /// The rights of a device at a record; nil when no good add of it is before.
    func rights(of device: Int, at record: Int) -> Rights? {
        let before = graph.nodes[record].before
        guard var rights = rights(of: device, given: { before.contains($0) }) else { return nil }
        for demotion in standing.demotions[device] where graph.isConcurrent(demotion, record) {
            guard case .role(let payload) = graph.nodes[demotion].payload else { continue }
            if payload.role.height < rights.role.height { rights.role = payload.role }
            rights.scopes = rights.scopes.intersection(payload.scopes)
        }
        return rights
    }

    /// The rights that the author of a record knew a device to have; nil when no good add of it is
    /// before.
    func knownRights(of device: Int, at record: Int) -> Rights? {
        let before = graph.nodes[record].before
        return rights(of: device, given: { before.contains($0) })
    }

    /// The rights of a device after all records; nil when it has no good add.
    func rights(of device: Int) -> Rights? { rights(of: device) { _ in true } }

    /// True when a device is a recovery key that a record may appeal to.
    func isRecoveryKey(_ device: Int, at record: Int) -> Bool {
        standing.isRecoveryKey[device]
            && graph.adds[device].contains { source in
                guard graph.isBefore(source, record) else { return false }
                return switch graph.nodes[source].payload {
                case .genesis: graph.nodes[source].target != device
                case .recovery: standing.stands[source]
                default: false
                }
            }
    }

    private func mayAuthor(_ record: Int) -> Bool {
        let node = graph.nodes[record]
        if case .genesis = node.payload { return true }
        if isRecoveryKey(node.author, at: record) {
            return switch node.payload {
            case .add, .remove, .role, .extend, .recovery: true
            default: node.isCritical
            }
        }
        guard let rights = rights(of: node.author, at: record) else { return false }
        switch node.payload {
        case .add, .role, .extend: return rights.role == .admin
        case .remove: return rights.role == .admin || node.target == node.author
        // Whoever draws the keys of an epoch can read everything under it.
        case .epoch: return rights.role.writes && rights.scopes == .all
        case .share:
            return node.target == node.author
                || rights.role.height >= Role.reader.height && rights.scopes == .all
        case .vote: return true
        case .laterAdd, .unknown: return !node.isCritical || rights.role == .admin
        case .genesis, .recovery: return false
        }
    }

    private func admitsAnew(_ record: Int) -> Bool {
        guard let device = graph.nodes[record].target, !standing.isRecoveryKey[device] else {
            return false
        }
        return !graph.adds[device].contains { add in
            if case .genesis = graph.nodes[add].payload { return true }
            return isGood[add] && graph.isBefore(add, record)
        }
    }

    private func rights(of device: Int, given isSeen: (Int) -> Bool) -> Rights? {
        var highest: Role?
        for add in graph.adds[device] where isGood[add] && isSeen(add) {
            let role: Role
            switch graph.nodes[add].payload {
            case .genesis:
                guard graph.nodes[add].target == device else { continue }
                role = .admin
            case .add(let payload): role = payload.role
            default: continue
            }
            if role.height > highest?.height ?? -1 { highest = role }
        }
        guard let highest else { return nil }
        var latest: [Int] = []
        var rights: Rights?
        for record in graph.roles[device].reversed() where isGood[record] && isSeen(record) {
            guard case .role(let payload) = graph.nodes[record].payload,
                !latest.contains(where: { graph.isBefore(record, $0) })
            else { continue }
            latest.append(record)
            let lower = min(payload.role.height, rights?.role.height ?? payload.role.height)
            rights = Rights(
                role: lower == payload.role.height ? payload.role : rights?.role ?? payload.role,
                scopes: payload.scopes.intersection(rights?.scopes ?? .all))
        }
        return rights ?? Rights(role: highest, scopes: .all)
    }
}
