import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The standings that were found out, during one query, of records that others refer to.
struct Standings {
    /// The number of references that are followed from one record to the next.
    static let depth = 16

    var known: OrderedTable<RecordKey, RecordStanding> = OrderedTable()
}

extension RecordReader {
    /// Returns the standing of a live record, which depends on all that it refers to, directly or
    /// through others.
    ///
    /// Records that refer to one another in a circle count as attached.
    func standing(
        of view: RecordView, in collection: Collection, _ standings: inout Standings,
        depth: Int = Standings.depth
    ) throws(StorageError) -> RecordStanding {
        var result = RecordStanding.attached
        for key in view.references(in: collection) {
            let parent = try standing(ofParent: key, &standings, depth: depth)
            if parent.rawValue > result.rawValue { result = parent }
        }
        return result
    }

    private func standing(
        ofParent key: RecordKey, _ standings: inout Standings, depth: Int
    ) throws(StorageError) -> RecordStanding {
        if let known = standings.known[key] { return known }
        guard depth > 0, let declared = log.schema.collection(id: key.collection) else {
            return .attached
        }
        let result: RecordStanding
        if let state = try existing(key), state.generation > 0 {
            if let view = log.schema.view(of: state) {
                // Until its standing is known, a record counts as attached for those that it refers
                // to.
                standings.known[key] = .attached
                result = try standing(of: view, in: declared, &standings, depth: depth - 1)
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

extension Collection {
    /// True when its records refer to others, on which their standing depends.
    var hasReferences: Bool {
        fields.contains { field in
            field.kind != .set
                && field.members.contains { if case .reference = $0.type { true } else { false } }
        }
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
