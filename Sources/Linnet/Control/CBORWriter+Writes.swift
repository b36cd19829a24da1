import LinnetCRDT
import LinnetReplication
import LinnetWire

extension CBORWriter {
    mutating func write(_ write: ControlWrite) {
        array(3)
        unsigned(UInt64(write.collection))
        recordID(write.record)
        list(write.changes) { $0.change($1) }
    }

    private mutating func change(_ change: ControlChange) {
        switch change {
        case .set(let fields):
            head(0, 1)
            list(fields) { $0.field($1) }
        case .count(let field, let key, let amount):
            head(1, 3, field)
            optional(key) { $0.text($1) }
            value(amount)
        case .recount(let field, let amount):
            head(2, 2, field)
            value(amount)
        case .add(let field, let element):
            head(3, 2, field)
            value(element)
        case .remove(let field, let element):
            head(4, 2, field)
            value(element)
        case .edit(let field, let offset, let count, let inserted):
            head(5, 4, field)
            unsigned(offset)
            unsigned(count)
            text(inserted)
        case .keep(let field, let values):
            head(11, 2, field)
            value(.list(values))
        case .rewrite(let field, let whole):
            head(6, 2, field)
            text(whole)
        case .copy(let field, let whole):
            head(12, 2, field)
            text(whole)
        case .insert(let fields):
            head(7, 1)
            list(fields) { $0.field($1) }
        case .delete: head(8, 0)
        case .restore: head(9, 0)
        case .move(let field, let place):
            head(10, 3, field)
            self.place(place)
        }
    }

    private mutating func head(_ number: UInt64, _ count: Int, _ field: UInt32? = nil) {
        array(1 + count)
        unsigned(number)
        if let field { unsigned(UInt64(field)) }
    }

    private mutating func place(_ place: OrderPlace) {
        let (number, anchor): (UInt64, String) =
            switch place {
            case .first: (0, "")
            case .last: (1, "")
            case .before(let id): (2, id)
            case .after(let id): (3, id)
            }
        unsigned(number)
        text(anchor)
    }
}

extension CBORReader {
    mutating func write() throws(WireError) -> ControlWrite {
        try array(exactly: 3)
        return ControlWrite(
            collection: try number(UInt32.self), record: try recordID(),
            try list { (reader) throws(WireError) in try reader.change() })
    }

    private mutating func change() throws(WireError) -> ControlChange {
        let count = try array(max: 5)
        let kind = try unsigned()
        switch (kind, count) {
        case (0, 2): return .set(try fields())
        case (7, 2): return .insert(try fields())
        case (8, 1): return .delete
        case (9, 1): return .restore
        default: return try change(kind, items: count, of: try number(UInt32.self))
        }
    }

    private mutating func change(
        _ kind: UInt64, items: Int, of field: UInt32
    ) throws(WireError) -> ControlChange {
        switch (kind, items) {
        case (1, 4):
            let key = try optional { (reader) throws(WireError) in try reader.text(max: .max) }
            return .count(field: field, key: key, amount: try value())
        case (2, 3): return .recount(field: field, try value())
        case (3, 3): return .add(field: field, try value())
        case (4, 3): return .remove(field: field, try value())
        case (5, 5):
            return .edit(
                field: field, at: try unsigned(), deleting: try unsigned(),
                inserting: try text(max: .max))
        case (6, 3): return .rewrite(field: field, try text(max: .max))
        case (10, 4): return .move(field: field, to: try place())
        case (11, 3):
            guard case .list(let values) = try value() else { throw .unexpectedType }
            return .keep(field: field, values)
        case (12, 3): return .copy(field: field, try text(max: .max))
        default: throw .unexpectedType
        }
    }

    private mutating func place() throws(WireError) -> OrderPlace {
        let number = try unsigned()
        let anchor = try text(max: .max)
        switch number {
        case 0: return .first
        case 1: return .last
        case 2: return .before(anchor)
        case 3: return .after(anchor)
        default: throw .unexpectedType
        }
    }
}
