import LinnetCRDT
import LinnetStorage
import LinnetWire

/// What was found out, during one query, about the records that others refer to.
struct Standings {
    /// How many references are followed from one record to the next.
    static let depth = 16

    var known: OrderedTable<RecordKey, RecordStanding> = OrderedTable()
}

extension RecordBook {
    /// Whether everything is there that a live record refers to, directly or through others.
    ///
    /// Records that refer to one another in a circle count as there.
    func standing(
        of view: RecordView, in collection: Collection, _ standings: inout Standings,
        _ log: BatchLog, depth: Int = Standings.depth
    ) throws(StorageError) -> RecordStanding {
        var result = RecordStanding.attached
        for key in view.references(in: collection) {
            let parent = try standing(ofParent: key, &standings, log, depth: depth)
            if parent.rawValue > result.rawValue { result = parent }
        }
        return result
    }

    private func standing(
        ofParent key: RecordKey, _ standings: inout Standings, _ log: BatchLog, depth: Int
    ) throws(StorageError) -> RecordStanding {
        if let known = standings.known[key] { return known }
        guard depth > 0, let declared = log.schema.collection(id: key.collection) else {
            return .attached
        }
        let result: RecordStanding
        if let state = try existing(key, log), state.generation > 0 {
            if let view = log.schema.view(of: state) {
                // Until it is known, a record does not stand in its own way.
                standings.known[key] = .attached
                result = try standing(of: view, in: declared, &standings, log, depth: depth - 1)
            } else {
                result = .hidden
            }
        } else {
            result = .dangling
        }
        standings.known[key] = result
        return result
    }
}

extension RecordView {
    /// The records that this one refers to.
    func references(in collection: Collection) -> [RecordKey] {
        var keys: [RecordKey] = []
        for field in collection.fields where field.kind != .set {
            for (index, member) in field.members.enumerated() {
                guard case .reference(let target) = member.type,
                    let values = fields.first(where: { $0.field == field.id })?.values,
                    values.indices.contains(index), case .text(let text) = values[index],
                    let record = RecordID(text)
                else { continue }
                keys.append(RecordKey(collection: target, record: record))
            }
        }
        return keys
    }
}
