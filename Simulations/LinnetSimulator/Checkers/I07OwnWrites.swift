import LinnetCRDT
import LinnetReplication
import LinnetWire

/// I7, for the writer: what it wrote is what it reads next.
extension Inspector {
    func checkOwnWrites(
        _ writes: [Write], before: [RecordKey: RecordState], _ device: Int
    ) throws(Violation) {
        guard !views[device].isDamaged else { return }
        let view = views[device]
        let schema = schemas[view.version]
        var last: [RecordKey: Int] = [:]
        for (index, write) in writes.enumerated() { last[write.key] = index }
        for (index, write) in writes.enumerated() where last[write.key] == index {
            let key = write.key
            let state = view.records[key]
            let isOnly = writes.count { $0.key == key } == 1
            for change in write.changes {
                if change == .delete, state?.isLive == true {
                    throw Violation(
                        .causalOrder, "record \(key.record) lives after its writer deleted it",
                        devices: [device])
                }
                if case .set(let written) = change {
                    if isOnly {
                        try checkMembers(written, key, before: before[key], after: state, device)
                    }
                    guard let shown = state?.visible(field: written.field),
                        let field = schema.collection(id: key.collection)?.field(id: written.field),
                        let values = try? field.values(of: shown.payload),
                        written.values.allSatisfy({
                            values.indices.contains($0.member) && values[$0.member] == $0.value
                        })
                    else {
                        throw Violation(
                            .causalOrder,
                            "field \(written.field) of \(key.record) is not what was written",
                            devices: [device])
                    }
                }
            }
        }
    }

    /// The members of a group that a write leaves out keep what showed, or are null in a new life.
    private func checkMembers(
        _ written: FieldWrite, _ key: RecordKey, before: RecordState?, after: RecordState?,
        _ device: Int
    ) throws(Violation) {
        let schema = schemas[views[device].version]
        guard let field = schema.collection(id: key.collection)?.field(id: written.field),
            let shown = after?.visible(field: written.field),
            let values = try? field.values(of: shown.payload), values.count > 1
        else { return }
        let old = before.flatMap { $0.isLive ? $0.visible(field: written.field) : nil }
            .flatMap { try? field.values(of: $0.payload) }
        for (member, value) in values.enumerated()
        where !written.values.contains(where: { $0.member == member }) {
            let kept = old.flatMap { $0.indices.contains(member) ? $0[member] : nil } ?? .null
            guard value != kept else { continue }
            throw Violation(
                .causalOrder,
                "a member of field \(written.field) of \(key.record) changed unasked",
                devices: [device])
        }
    }
}
