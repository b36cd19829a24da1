import LinnetCRDT
import LinnetReplication
import LinnetWire

extension CBORWriter {
    mutating func query(_ query: Query) {
        array(7)
        text(query.collection)
        optional(query.condition) { $0.condition($1) }
        list(query.sort) { writer, key in
            writer.array(2)
            writer.text(key.field)
            writer.bool(key.isDescending)
        }
        optional(query.after) { $0.text($1) }
        unsigned(UInt64(max(0, query.offset)))
        optional(query.limit) { $0.unsigned(UInt64(max(0, $1))) }
        bool(query.showsDetached)
    }

    private mutating func condition(_ condition: Condition) {
        switch condition {
        case .test(let field, let comparison, let value):
            array(4)
            unsigned(0)
            text(field)
            unsigned(UInt64(comparison.rawValue))
            self.value(value)
        case .isNull(let field):
            array(2)
            unsigned(1)
            text(field)
        case .all(let parts):
            array(2)
            unsigned(2)
            list(parts) { $0.condition($1) }
        case .any(let parts):
            array(2)
            unsigned(3)
            list(parts) { $0.condition($1) }
        case .not(let part):
            array(2)
            unsigned(4)
            self.condition(part)
        }
    }

    mutating func plan(_ plan: QueryPlan) {
        switch plan {
        case .scan:
            array(1)
            unsigned(0)
        case .identifiers:
            array(1)
            unsigned(1)
        case .index(let field, let kind, let use):
            array(4)
            unsigned(2)
            text(field)
            text(kind.rawValue)
            unsigned(UInt64(use.rawValue))
        }
    }

    mutating func observation(_ observation: ControlObservation) {
        switch observation {
        case .record(let collection, let record):
            array(3)
            unsigned(0)
            unsigned(UInt64(collection))
            recordID(record)
        case .query(let query):
            array(2)
            unsigned(1)
            self.query(query)
        case .count(let query):
            array(2)
            unsigned(2)
            self.query(query)
        case .changes(let collection):
            array(2)
            unsigned(3)
            optional(collection) { $0.unsigned(UInt64($1)) }
        }
    }
}

extension CBORReader {
    mutating func query() throws(WireError) -> Query {
        try array(exactly: 7)
        var query = Query(try text(max: .max))
        query.condition = try optional { (reader) throws(WireError) in
            try reader.condition(depth: Condition.maximumDepth)
        }
        query.sort = try list { (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return SortKey(try reader.text(max: .max), descending: try reader.bool())
        }
        query.after = try optional { (reader) throws(WireError) in try reader.text(max: .max) }
        query.offset = try number(Int.self)
        query.limit = try optional { (reader) throws(WireError) in try reader.number(Int.self) }
        query.showsDetached = try bool()
        return query
    }

    private mutating func condition(depth: Int) throws(WireError) -> Condition {
        guard depth > 0 else { throw .tooLarge }
        let count = try array(max: 4)
        let kind = try unsigned()
        guard count == (kind == 0 ? 4 : 2) else { throw .unexpectedType }
        switch kind {
        case 0:
            let field = try text(max: .max)
            guard let comparison = Comparison(rawValue: try number(UInt8.self)) else {
                throw .unexpectedType
            }
            return .test(field, comparison, try value())
        case 1: return .isNull(try text(max: .max))
        case 2: return .all(try conditions(depth: depth - 1))
        case 3: return .any(try conditions(depth: depth - 1))
        case 4: return .not(try condition(depth: depth - 1))
        default: throw .unexpectedType
        }
    }

    private mutating func conditions(depth: Int) throws(WireError) -> [Condition] {
        try list { (reader) throws(WireError) in try reader.condition(depth: depth) }
    }

    mutating func plan() throws(WireError) -> QueryPlan {
        let count = try array(max: 4)
        let kind = try unsigned()
        guard count == (kind == 2 ? 4 : 1) else { throw .unexpectedType }
        switch kind {
        case 0: return .scan
        case 1: return .identifiers
        case 2:
            let field = try text(max: .max)
            guard let index = FieldIndex(rawValue: try text(max: .max)),
                let use = QueryPlan.Use(rawValue: try number(UInt8.self))
            else { throw .unexpectedType }
            return .index(field: field, index, use)
        default: throw .unexpectedType
        }
    }

    mutating func observation() throws(WireError) -> ControlObservation {
        let count = try array(max: 3)
        let kind = try unsigned()
        guard count == (kind == 0 ? 3 : 2) else { throw .unexpectedType }
        switch kind {
        case 0: return .record(collection: try number(UInt32.self), record: try recordID())
        case 1: return .query(try query())
        case 2: return .count(try query())
        case 3:
            return .changes(
                collection: try optional { (reader) throws(WireError) in
                    try reader.number(UInt32.self)
                })
        default: throw .unexpectedType
        }
    }
}
