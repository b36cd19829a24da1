/// One field of a collection.
public struct Field: Equatable, Sendable {
    /// One value of a field: a group has several, every other field one.
    public struct Member: Equatable, Sendable {
        /// The name shown to people; in a field that is no group, the field's own.
        public let name: String
        /// The type of the values that it may hold.
        public let type: ValueType

        /// Describes one value.
        public init(_ name: String, _ type: ValueType) {
            self.name = name
            self.type = type
        }
    }

    /// The number that stands for the field in every batch; it is never used again.
    public let id: UInt32
    /// The name within the program.
    public let name: String
    /// The kind, by which concurrent changes merge; it never changes.
    public let kind: FieldKind
    /// The values that the field consists of, in order.
    public let members: [Member]
    /// The index by which this device finds records by the field; nil when it reads them all.
    public let index: FieldIndex?

    /// Describes a field of one value, of which the latest wins.
    public init(id: UInt32, name: String, type: ValueType, index: FieldIndex? = nil) {
        self.id = id
        self.name = name
        kind = .lww
        members = [Member(name, type)]
        self.index = index
    }

    /// Describes a field of several values that change together.
    public init(id: UInt32, name: String, group members: [Member]) {
        self.id = id
        self.name = name
        kind = .group
        self.members = members
        index = nil
    }

    /// Describes a field of any kind but a group.
    ///
    /// A schema whose field lacks a type is refused with ``SchemaError/missingType(_:)``.
    ///
    /// - Parameters:
    ///   - id: a number from 1 that is never used again.
    ///   - name: its name for people and the program.
    ///   - kind: the kind, by which concurrent changes merge.
    ///   - type: the type of its values, a tally's amounts or a set's elements; a tally has whole
    ///     or decimal numbers. A text and an order hold text and need no type.
    ///   - index: the index by which this device finds records by the field.
    public init(
        id: UInt32, name: String, kind: FieldKind, type: ValueType? = nil,
        index: FieldIndex? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        members = (type ?? kind.rules.onlyType).map { [Member(name, $0)] } ?? []
        self.index = index
    }

    /// The type that a value of the field, an amount or an element must have.
    var type: ValueType { members.first?.type ?? .text }

    /// Throws unless `value` may be written to this field, which is not a group.
    public func validate(_ value: Value) throws(SchemaError) {
        guard kind != .group else { throw .wrongCount(field: name, expected: members.count) }
        try validate([value])
    }

    /// Throws unless `values`, one for each member, may be written to this field.
    public func validate(_ values: [Value]) throws(SchemaError) {
        guard values.count == members.count else {
            throw .wrongCount(field: name, expected: members.count)
        }
        for (member, value) in zip(members, values) {
            let path = kind == .group ? name + "." + member.name : name
            guard member.type.admits(value) else {
                throw .wrongType(field: path, expected: member.type.name)
            }
            if case (.choice(let allowed), .text(let text)) = (member.type, value),
                !allowed.contains(where: { $0.utf8.elementsEqual(text.utf8) })
            {
                throw .notAChoice(field: path, allowed: allowed)
            }
        }
        if kind != .group, values.allSatisfy(\.isPlain) { return }
        do throws(CRDTError) {
            _ = try payload(of: values)
        } catch {
            throw .badValue(field: name)
        }
    }

    /// Returns the canonical payload of an operation that sets this field.
    package func payload(of values: [Value]) throws(CRDTError) -> [UInt8] {
        kind == .group
            ? try Value.encodeGroup(values) : try (values.first ?? .null).encoded()
    }

    /// Returns the values in the payload of an operation that sets this field.
    package func values(of payload: [UInt8]) throws(CRDTError) -> [Value] {
        kind == .group ? try Value.decodeGroup(payload) : [try Value.decode(payload)]
    }

    /// Returns the values in a part of some bytes, which is such a payload; nil when they are not
    /// the field's.
    func values(of bytes: [UInt8], in part: Range<Int>) -> [Value]? {
        kind == .group
            ? try? Value.decodeGroup(Array(bytes[part]))
            : (try? Value.decode(bytes, in: part)).map { [$0] }
    }

    /// Returns true when a value needs no other check for this field than that of its type.
    func takesPlainly(_ value: Value) -> Bool {
        guard kind == .lww, members.count == 1, value.isPlain else { return false }
        return switch members[0].type {
        case .text, .int, .bool, .decimal: members[0].type.admits(value)
        default: false
        }
    }

    /// Returns true when a received payload has the form and the types of this field.
    package func admits(_ payload: [UInt8]) -> Bool {
        if kind != .group, let plain = PlainPayload(payload) {
            return members.count == 1 && members[0].type.admits(plain)
        }
        guard let values = try? values(of: payload), values.count == members.count else {
            return false
        }
        return zip(members, values).allSatisfy { member, value in member.type.admits(value) }
    }

    func checkDefinition() throws(SchemaError) {
        guard id > 0 else { throw .reservedField(name) }
        guard !members.isEmpty else {
            throw kind == .group ? .emptyGroup(name) : .missingType(name)
        }
        guard members.allSatisfy({ kind.allows($0.type) }) else {
            throw .wrongType(field: name, expected: kind.rules.typeNames)
        }
        if let index, !kind.allows(index) { throw .notIndexable(field: name, as: index) }
        try checkNames(of: [self], name: \.name)
        try checkNames(of: members, name: \.name)
        for member in members {
            guard case .choice(let allowed) = member.type else { continue }
            if allowed.isEmpty { throw .badChoices(name) }
            do throws(SchemaError) {
                try checkNames(of: allowed, name: \.self)
            } catch {
                throw .badChoices(name)
            }
        }
    }
}
