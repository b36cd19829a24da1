import LinnetCRDT
import LinnetReplication
import LinnetWire

/// I7, for the writer: what it wrote is what it reads next.
extension Inspector {
    func checkOwnWrites(_ writes: [Write], _ device: Int, showsAll: Bool) throws(Violation) {
        guard showsAll else { return }
        let view = views[device]
        let schema = schemas[view.version]
        var last: [RecordKey: Int] = [:]
        for (index, write) in writes.enumerated() { last[write.place] = index }
        for (index, write) in writes.enumerated() where last[write.place] == index {
            let key = write.place
            let state = view.records[key]
            switch write {
            case .delete:
                guard state?.isLive != true else {
                    throw Violation(
                        .causalOrder, "record \(key.record) lives after its writer deleted it",
                        devices: [device])
                }
            case .set(_, _, let fields):
                for written in fields {
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
}
