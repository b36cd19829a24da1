import LinnetCRDT
import LinnetWire

/// The form in which requests and responses travel: canonical CBOR arrays that begin with a version
/// and a number.
enum ControlCoding {
    /// The version, which grows with every change of a request or response.
    static let version: UInt64 = 5
    /// The most items of one message; an import of a hundred thousand records has fewer.
    static let itemLimit = 1 << 24

    static func reader(of bytes: [UInt8]) throws(WireError) -> (CBORReader, kind: UInt64) {
        var reader = CBORReader(bytes, maxItems: itemLimit)
        _ = try reader.array()
        guard try reader.unsigned() == version else { throw .unexpectedType }
        let kind = try reader.unsigned()
        return (reader, kind)
    }

    static func writer(_ kind: UInt64, count: Int) -> CBORWriter {
        var writer = CBORWriter()
        writer.array(count + 2)
        writer.unsigned(version)
        writer.unsigned(kind)
        return writer
    }
}

extension CBORWriter {
    mutating func list<Element>(
        _ elements: [Element], _ body: (inout CBORWriter, Element) -> Void
    ) {
        array(elements.count)
        for element in elements { body(&self, element) }
    }

    mutating func optional<Wrapped>(
        _ value: Wrapped?, _ body: (inout CBORWriter, Wrapped) -> Void
    ) {
        if let value { body(&self, value) } else { null() }
    }

    mutating func texts(_ values: [String]) {
        list(values) { $0.text($1) }
    }

    mutating func recordID(_ id: RecordID) {
        text(id.description)
    }

    mutating func field(_ field: ControlField) {
        array(3)
        unsigned(UInt64(field.field))
        unsigned(UInt64(field.member))
        value(field.value)
    }

    mutating func value(_ value: Value) {
        whole(value)
    }
}

extension CBORReader {
    mutating func list<Element>(
        _ body: (inout CBORReader) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        let count = try array(max: ControlCoding.itemLimit)
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try body(&self)) }
        return elements
    }

    mutating func optional<Wrapped>(
        _ body: (inout CBORReader) throws(WireError) -> Wrapped
    ) throws(WireError) -> Wrapped? {
        if try peek() == .null {
            try null()
            return nil
        }
        return try body(&self)
    }

    mutating func texts() throws(WireError) -> [String] {
        try list { (reader) throws(WireError) in try reader.text(max: .max) }
    }

    mutating func number<Number: FixedWidthInteger>(
        _ type: Number.Type
    ) throws(WireError) -> Number {
        guard let number = Number(exactly: try unsigned()) else { throw .tooLarge }
        return number
    }

    mutating func recordID() throws(WireError) -> RecordID {
        guard let id = RecordID(try text(max: .max)) else { throw .badText }
        return id
    }

    mutating func field() throws(WireError) -> ControlField {
        try array(exactly: 3)
        let field = try number(UInt32.self)
        let member = try number(UInt32.self)
        return ControlField(field: field, member: member, value: try value())
    }

    mutating func value() throws(WireError) -> Value {
        try whole()
    }

    mutating func fields() throws(WireError) -> [ControlField] {
        try list { (reader) throws(WireError) in try reader.field() }
    }
}
