import LinnetCRDT

/// Reads a value of an application's type from a record: its fields by their names, groups as
/// values of their own.
struct RecordDecoder: Decoder {
    private let values: [String: Value]
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ record: Record, in collection: Collection, identifierName: String) {
        var values = [identifierName: Value.text(record.id)]
        for cell in record.cells {
            if let member = cell.member {
                values["\(cell.field).\(member)"] = cell.value
            } else if record.conflicts.contains(cell.field), case .list(let all) = cell.value {
                values[cell.field] = all.first
            } else {
                values[cell.field] = cell.value
            }
        }
        self.values = values
        codingPath = []
    }

    private init(_ values: [String: Value], _ path: [any CodingKey]) {
        self.values = values
        codingPath = path
    }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw refusal("a field is no list of its own")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw refusal("a type of a field has to be a FieldValue")
    }

    private func refusal(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
    }

    fileprivate func value(_ name: String) -> Value? {
        guard let value = values[name], value != .null else { return nil }
        return value
    }

    /// Returns a decoder of a group's members by their own names.
    fileprivate func group(_ key: any CodingKey) -> RecordDecoder {
        let prefix = key.stringValue + "."
        var members: [String: Value] = [:]
        for (name, value) in values where name.hasPrefix(prefix) {
            members[String(name.dropFirst(prefix.count))] = value
        }
        return RecordDecoder(members, codingPath + [key])
    }

    fileprivate func hasGroup(_ name: String) -> Bool {
        values.keys.contains { $0.hasPrefix(name + ".") }
    }

    fileprivate func decode<Wanted>(
        _ type: any FieldValue.Type, as wanted: Wanted.Type, _ key: any CodingKey
    ) throws -> Wanted {
        let read: (any FieldValue)? =
            if let value = value(key.stringValue) { type.init(fieldValue: value) } else {
                type.blank
            }
        guard let found = read as? Wanted else {
            throw refusal("\(key.stringValue) holds no \(Wanted.self)")
        }
        return found
    }

    fileprivate func number<Number: FixedWidthInteger>(_ key: any CodingKey) throws -> Number {
        let number = try decode(Int.self, as: Int.self, key)
        guard let fitting = Number(exactly: number) else {
            throw refusal("\(key.stringValue) is too large")
        }
        return fitting
    }
}

/// The fields of a record by their coding keys.
private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RecordDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        decoder.value(key.stringValue) != nil || decoder.hasGroup(key.stringValue)
    }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
        if let field = type as? any FieldValue.Type {
            return try decoder.decode(field, as: type, key)
        }
        return try Wanted(from: decoder.group(key))
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder.decode(type, as: type, key)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder.decode(type, as: type, key)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder.decode(type, as: type, key)
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        Float(try decoder.decode(Double.self, as: Double.self, key))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder.number(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder.number(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder.number(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder.number(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder.number(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder.number(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder.number(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder.number(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder.number(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder.number(key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        decoder.group(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) -> any Decoder { decoder.group(key) }
}
