import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The orders in which records were moved lately, so that the next move reads no collection.
///
/// Each remembers the records that changed since it was used, and looks at those alone. None
/// outlives what made the records anew.
struct OrderLines {
    /// The name of an order.
    struct Name: Comparable {
        let collection: UInt32
        let field: UInt32

        static func < (left: Name, right: Name) -> Bool {
            (left.collection, left.field) < (right.collection, right.field)
        }
    }

    /// An order, and the records that changed since it was true.
    private struct Kept {
        var line: OrderLine
        var changed: [RecordID] = []
    }

    private let most: Int
    private var kept: OrderedTable<Name, Kept> = OrderedTable()

    /// Keeps orders of so many records in all.
    init(most: Int = Limits.orderedRecords) {
        self.most = most
    }

    /// The number of orders that are kept.
    var count: Int { kept.count }

    /// Notes that a record changed, or may have.
    mutating func note(_ key: RecordKey) {
        if kept.isEmpty { return }
        for (name, order) in kept where name.collection == key.collection {
            // Beyond that it costs less to read the collection again.
            guard order.changed.count <= order.line.count else {
                kept.removeValue(forKey: name)
                continue
            }
            kept[name]?.changed.append(key.record)
        }
    }

    /// Takes an order out, which `keep` puts back; nil when it is not kept.
    mutating func take(_ name: Name) -> (line: OrderLine, changed: [RecordID])? {
        kept.removeValue(forKey: name).map { ($0.line, $0.changed) }
    }

    /// Keeps an order, if it is short enough, and lets go of others where all are too long.
    mutating func keep(_ line: OrderLine, as name: Name) {
        guard line.count <= most else { return }
        if kept.values.reduce(line.count, { $0 + $1.line.count }) > most { forget() }
        kept[name] = Kept(line: line)
    }

    /// Lets go of all orders.
    mutating func forget() { kept = OrderedTable() }
}

extension OrderLines {
    /// Returns an order as the records have it. This reads the collection, unless the order is
    /// kept; then it reads what changed.
    mutating func line(of name: Name, in reader: RecordReader) throws(ReplicaError) -> OrderLine {
        try reader.log.schema.requireOrder(name)
        guard let (kept, changed) = take(name) else {
            let line = OrderLine(
                try reader.orderedRecords(of: name.collection, by: name.field))
            keep(line, as: name)
            return line
        }
        var line = kept
        try storage { () throws(StorageError) in
            for record in OrderedSet(changed).elements {
                let key = RecordKey(collection: name.collection, record: record)
                if let state = try reader.existing(key), state.isLive {
                    line.put(record, at: state.place(in: name.field))
                } else {
                    line.remove(record)
                }
            }
        }
        keep(line, as: name)
        return line
    }
}

extension Schema {
    /// Throws unless a field is an order.
    fileprivate func requireOrder(_ name: OrderLines.Name) throws(ReplicaError) {
        guard let declared = collection(id: name.collection) else {
            throw .unknownCollection(name.collection)
        }
        guard let found = declared.field(id: name.field) else {
            throw .schema(.unknownField("\(name.field)"))
        }
        guard found.kind == .order else {
            throw .schema(.wrongKind(field: found.name, kind: found.kind.name))
        }
    }
}

extension RecordState {
    /// Returns the place that a record has in the order of a field; nil when nobody ever moved it.
    func place(in field: UInt32) -> FractionalKey? {
        guard let shown = visible(field: field),
            case .text(let text)? = try? Value.decode(shown.payload)
        else { return nil }
        return FractionalKey(text)
    }
}
