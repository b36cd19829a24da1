import LinnetCRDT
import LinnetReplication

extension WriteRequest {
    /// Returns the requests of a command's write; changes that belong together stay together.
    static func list(_ write: ControlWrite) -> [WriteRequest] {
        let key = RecordKey(collection: write.collection, record: write.record)
        var requests: [WriteRequest] = []
        var together: [Change] = []
        for change in write.changes {
            switch change {
            case .count(let field, nil, let amount):
                requests.append(.changes(Write(key, together)))
                together = []
                requests.append(.count(key, field: field, amount: amount))
            case .move(let field, let place):
                requests.append(.changes(Write(key, together)))
                together = []
                requests.append(.move(key, field: field, to: place))
            default:
                together += Change.list(change)
            }
        }
        return requests + [.changes(Write(key, together))]
    }
}

extension Change {
    /// Returns the changes of the domain; members of one field become one change of the field.
    fileprivate static func list(_ change: ControlChange) -> [Change] {
        switch change {
        case .set(let fields):
            fields.numbers.map { number in
                .set(
                    FieldWrite(
                        number,
                        members: fields.filter { $0.field == number }
                            .map { (Int($0.member), $0.value) }))
            }
        case .keep(let field, let values): [.keep(field: field, values)]
        case .count(let field, let key, let amount):
            [.count(field: field, key: key ?? "", amount: amount)]
        case .recount(let field, let amount): [.recount(field: field, amount)]
        case .add(let field, let element): [.add(field: field, element)]
        case .remove(let field, let element): [.remove(field: field, element)]
        case .edit(let field, let offset, let count, let text):
            [
                .edit(
                    field: field, at: Int(clamping: offset), deleting: Int(clamping: count),
                    inserting: text)
            ]
        case .rewrite(let field, let text): [.rewrite(field: field, text)]
        case .copy(let field, let text): [.copy(field: field, TextCopy.pieces(of: text))]
        case .insert(let fields):
            [
                .insert(
                    fields.numbers.map { number in
                        FieldValues(
                            number,
                            fields.filter { $0.field == number }
                                .sorted { $0.member < $1.member }.map(\.value))
                    })
            ]
        case .delete: [.delete]
        case .restore: [.restore]
        case .move: []
        }
    }
}

extension [ControlField] {
    /// The fields that are named, each once, in the order of their first mention.
    fileprivate var numbers: [UInt32] {
        var numbers: [UInt32] = []
        for field in self where !numbers.contains(field.field) { numbers.append(field.field) }
        return numbers
    }
}
