public import LinnetCRDT

/// A key path that may be kept anywhere.
public typealias FieldPathTo<Root, Member> = any KeyPath<Root, Member> & Sendable

/// A field of a collection, and the property of an application's type that it belongs to.
public struct TypedField<Root: Sendable>: Sendable {
    /// The field.
    public let field: Field
    /// The property; nil for a field that the type has no property for.
    let path: (any PartialKeyPath<Root> & Sendable)?
    /// Returns the property's values, one for each member of the field.
    let read: @Sendable (Root) -> [Value]

    private init(
        _ field: Field, _ path: (any PartialKeyPath<Root> & Sendable)?,
        _ read: @escaping @Sendable (Root) -> [Value]
    ) {
        self.field = field
        self.path = path
        self.read = read
    }

    /// Declares a field whose latest value wins.
    public static func lww<Member: FieldValue>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Member>, index: FieldIndex? = nil
    ) -> TypedField {
        let field = Field(id: id, name: name, type: Member.fieldType, index: index)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a field that holds the identifier of a record of another collection.
    public static func reference<Member: FieldValue>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Member>, to collection: UInt32,
        index: FieldIndex? = nil
    ) -> TypedField {
        let field = Field(id: id, name: name, type: .reference(collection), index: index)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a field of several values that change together: the properties of a type of its
    /// own.
    public static func group<Group: Sendable>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Group>,
        _ members: [TypedMember<Group>]
    ) -> TypedField {
        let field = Field(id: id, name: name, group: members.map(\.member))
        return TypedField(field, path) { root in
            let group = root[keyPath: path]
            return members.map { $0.read(group) }
        }
    }

    /// Declares a field that keeps concurrent values; the property holds the latest of them.
    public static func mv<Member: FieldValue>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Member>, index: FieldIndex? = nil
    ) -> TypedField {
        let field = Field(
            id: id, name: name, kind: .mv, type: Member.fieldType, index: index)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a sum of amounts: a property of the type `Int` or `Decimal64`.
    public static func tally<Member: FieldValue>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Member>, index: FieldIndex? = nil
    ) -> TypedField {
        let field = Field(
            id: id, name: name, kind: .tally, type: Member.fieldType, index: index)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a field whose largest value ever written wins, such as a flag that stays raised.
    public static func max<Member: FieldValue>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Member>, index: FieldIndex? = nil
    ) -> TypedField {
        let field = Field(id: id, name: name, kind: .max, type: Member.fieldType, index: index)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a field whose smallest value ever written wins.
    public static func min<Member: FieldValue>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Member>, index: FieldIndex? = nil
    ) -> TypedField {
        let field = Field(id: id, name: name, kind: .min, type: Member.fieldType, index: index)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a set of elements.
    public static func set<Element: FieldValue>(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, Set<Element>>,
        index: FieldIndex? = nil
    ) -> TypedField {
        let field = Field(
            id: id, name: name, kind: .set, type: Element.fieldType, index: index)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a text that several devices edit at once.
    public static func text(
        _ id: UInt32, _ name: String, _ path: FieldPathTo<Root, String>
    ) -> TypedField {
        let field = Field(id: id, name: name, kind: .text)
        return TypedField(field, path) { [$0[keyPath: path].fieldValue] }
    }

    /// Declares a place among the other records, which `move` changes; the type has no property for
    /// it.
    public static func order(
        _ id: UInt32, _ name: String, index: FieldIndex? = nil
    ) -> TypedField {
        TypedField(Field(id: id, name: name, kind: .order, index: index), nil) { _ in [] }
    }
}

/// A member of a group, and the property that it belongs to.
public struct TypedMember<Group: Sendable>: Sendable {
    let member: Field.Member
    let read: @Sendable (Group) -> Value

    /// Joins a name and a property.
    public init<Member: FieldValue>(_ name: String, _ path: FieldPathTo<Group, Member>) {
        member = Field.Member(name, Member.fieldType)
        read = { $0[keyPath: path].fieldValue }
    }
}
