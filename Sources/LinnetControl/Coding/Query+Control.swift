package import LinnetReplication
package import LinnetWire

// Questions about records, and what is read to answer them.

extension Comparison: ControlCodable {}
extension QueryPlan.Use: ControlCodable {}

extension SortKey: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm({ SortKey($0, descending: $1) }, \.field, \.isDescending)
    }
}

extension Query: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm(
            { collection, condition, sort, after, offset, limit, showsDetached in
                var query = Query(collection)
                query.condition = condition
                query.sort = sort
                query.after = after
                query.offset = offset
                query.limit = limit
                query.showsDetached = showsDetached
                return query
            }, \.collection, \.condition, \.sort, \.after, \.offset, \.limit, \.showsDetached)
    }
}

extension Condition: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .test(let field, let comparison, let value):
            writer.variant(0, field, comparison, value)
        case .isNull(let field): writer.variant(1, field)
        case .all(let parts): writer.variant(2, parts)
        case .any(let parts): writer.variant(3, parts)
        case .not(let part): writer.variant(4, part)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Condition {
        try read(from: &reader, depth: maximumDepth)
    }

    private static func read(
        from reader: inout CBORReader, depth: Int
    ) throws(WireError) -> Condition {
        guard depth > 0 else { throw .tooLarge }
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.parts(of: variant, Condition.test)
        case 1: return try reader.parts(of: variant, Condition.isNull)
        case 2: return .all(try list(from: &reader, variant, depth: depth))
        case 3: return .any(try list(from: &reader, variant, depth: depth))
        case 4:
            try reader.expect(1, of: variant)
            return .not(try read(from: &reader, depth: depth - 1))
        default: throw .unexpectedType
        }
    }

    private static func list(
        from reader: inout CBORReader, _ variant: ControlVariant, depth: Int
    ) throws(WireError) -> [Condition] {
        try reader.expect(1, of: variant)
        var parts: [Condition] = []
        for _ in 0..<(try reader.array(max: ControlCoding.itemLimit)) {
            parts.append(try read(from: &reader, depth: depth - 1))
        }
        return parts
    }
}

extension QueryPlan: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .scan: writer.variant(0)
        case .identifiers: writer.variant(1)
        case .index(let field, let index, let use): writer.variant(2, field, index, use)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> QueryPlan {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.whole(variant, .scan)
        case 1: return try reader.whole(variant, .identifiers)
        case 2: return try reader.parts(of: variant, QueryPlan.index)
        default: throw .unexpectedType
        }
    }
}
