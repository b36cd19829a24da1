package import LinnetCRDT
package import LinnetReplication
package import LinnetWire

// Records as they are visible, and their changes.

extension FieldValues: ControlStruct {
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.field, \.values) }
}

extension RecordStanding: ControlCodable {}

extension RecordKey: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(collection:record:), \.collection, \.record)
    }
}

extension RecordView: ControlCodable {
    // By hand: a list has a hundred thousand of them.
    package func write(to writer: inout CBORWriter) {
        writer.array(6)
        writer.unsigned(UInt64(collection))
        id.write(to: &writer)
        writer.array(fields.count)
        for field in fields {
            writer.array(2)
            writer.unsigned(UInt64(field.field))
            field.values.write(to: &writer)
        }
        conflicts.write(to: &writer)
        writer.bool(isCollision)
        standing.write(to: &writer)
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> RecordView {
        try reader.array(exactly: 6)
        let collection = try UInt32.read(from: &reader)
        let id = try RecordID.read(from: &reader)
        var fields: [FieldValues] = []
        for _ in 0..<(try reader.array(max: ControlCoding.itemLimit)) {
            try reader.array(exactly: 2)
            let field = try UInt32.read(from: &reader)
            fields.append(FieldValues(field, try [Value].read(from: &reader)))
        }
        return RecordView(
            collection: collection, id: id, fields: fields,
            conflicts: try [UInt32].read(from: &reader), isCollision: try reader.bool(),
            standing: try RecordStanding.read(from: &reader))
    }
}

extension FieldWrite: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        writer.array(1 + 2 * values.count)
        writer.unsigned(UInt64(field))
        for (member, value) in values {
            member.write(to: &writer)
            value.write(to: &writer)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> FieldWrite {
        let count = try reader.array(max: ControlCoding.itemLimit)
        guard count % 2 == 1 else { throw .badLength }
        let field = try UInt32.read(from: &reader)
        var members: [(Int, Value)] = []
        for _ in 0..<(count / 2) {
            members.append((try Int.read(from: &reader), try Value.read(from: &reader)))
        }
        return FieldWrite(field, members: members)
    }
}

extension Change: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .set(let written): writer.variant(0, written)
        case .count(let field, let key, let amount): writer.variant(1, field, key, amount)
        case .recount(let field, let amount): writer.variant(2, field, amount)
        case .add(let field, let element): writer.variant(3, field, element)
        case .remove(let field, let element): writer.variant(4, field, element)
        case .edit(let field, let offset, let count, let text, .characters):
            writer.variant(5, field, offset, count, text)
        case .edit(let field, let offset, let count, let text, let unit):
            writer.variant(13, field, offset, count, text, unit)
        case .splice(let field, let splice): writer.variant(14, field, splice)
        case .rewrite(let field, let text): writer.variant(6, field, text)
        case .insert(let fields): writer.variant(7, fields)
        case .delete: writer.variant(8)
        case .restore: writer.variant(9)
        case .keep(let field, let values): writer.variant(11, field, values)
        case .copy(let field, let pieces):
            writer.variant(12, field, pieces.map(\.insertion.string).joined())
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Change {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.parts(of: variant, Change.set)
        case 1: return try reader.parts(of: variant, Change.count)
        case 2: return try reader.parts(of: variant, Change.recount)
        case 3: return try reader.parts(of: variant, Change.add)
        case 4: return try reader.parts(of: variant, Change.remove)
        case 5:
            return try reader.parts(of: variant) {
                (field: UInt32, offset: Int, count: Int, text: String) in
                .edit(field: field, at: offset, deleting: count, inserting: text)
            }
        case 6: return try reader.parts(of: variant, Change.rewrite)
        case 7: return try reader.parts(of: variant, Change.insert)
        case 8: return try reader.whole(variant, .delete)
        case 9: return try reader.whole(variant, .restore)
        case 11: return try reader.parts(of: variant, Change.keep)
        case 12:
            return try reader.parts(of: variant) { (field: UInt32, text: String) in
                .copy(field: field, TextCopy.pieces(of: text))
            }
        case 13: return try reader.parts(of: variant, Change.edit)
        case 14: return try reader.parts(of: variant, Change.splice)
        default: throw .unexpectedType
        }
    }
}

extension WriteRequest: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .changes(let write): writer.variant(0, write.key, write.changes)
        case .count(let key, let field, let amount): writer.variant(1, key, field, amount)
        case .move(let key, let field, let place): writer.variant(2, key, field, place)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> WriteRequest {
        let variant = try reader.variant()
        switch variant.number {
        case 0:
            return try reader.parts(of: variant) { (key: RecordKey, changes: [Change]) in
                .changes(Write(key, changes))
            }
        case 1: return try reader.parts(of: variant, WriteRequest.count)
        case 2: return try reader.parts(of: variant, WriteRequest.move)
        default: throw .unexpectedType
        }
    }
}

extension OrderPlace: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .first: writer.variant(0)
        case .last: writer.variant(1)
        case .before(let id): writer.variant(2, id)
        case .after(let id): writer.variant(3, id)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> OrderPlace {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.whole(variant, .first)
        case 1: return try reader.whole(variant, .last)
        case 2: return try reader.parts(of: variant, OrderPlace.before)
        case 3: return try reader.parts(of: variant, OrderPlace.after)
        default: throw .unexpectedType
        }
    }
}
