/// The collections that a group of devices shares.
///
/// Numbers below 1000 belong to Linnet and 1000 to 1999 to its demonstrations; an application
/// numbers its collections from 2000. The `devices` collection is part of every schema.
public struct Schema: Equatable, Sendable {
    /// The first number of an application's own collections.
    public static let firstApplicationCollection: UInt32 = 2_000

    /// The last number of Linnet's own collections.
    package static let lastOwn: UInt32 = 999

    /// A number that grows with every change of the schema; it serves diagnosis alone.
    public let version: UInt32
    /// The collections in ascending order of their numbers.
    public let collections: [Collection]
    /// The numbers of former collections, ascending. Their stored records stay and are not shown,
    /// and no number of them is used again.
    public let retired: [UInt32]

    /// Checks names, numbers, choices and references, and adds the `devices` collection.
    ///
    /// - Parameters:
    ///   - version: a number that grows with every change.
    ///   - collections: the collections, in any order.
    ///   - retired: the numbers of an application's collections that are no longer among them.
    public init(
        version: UInt32, collections: [Collection], retired: [UInt32] = []
    ) throws(SchemaError) {
        for collection in collections {
            if retired.contains(collection.id) { throw .retired(collection.name) }
            try collection.checkDefinition()
            guard
                collection.id >= Schema.firstApplicationCollection || collection.isReserved
            else { throw .reservedCollection(collection.id) }
        }
        var all = collections
        if !all.contains(Schema.devices) { all.append(Schema.devices) }
        all.sort { $0.id < $1.id }
        for (index, collection) in all.enumerated() {
            for other in all[..<index]
            where other.id == collection.id || other.name.utf8.elementsEqual(collection.name.utf8) {
                throw .duplicateCollection(collection.name)
            }
        }
        try Schema.checkReferences(in: all)
        if let reserved = retired.first(where: { $0 < Schema.firstApplicationCollection }) {
            throw .reservedCollection(reserved)
        }
        self.init(version: version, checked: all, retired: retired)
    }

    /// Throws unless a record that is held finds the records that it refers to, in the same scope
    /// or in one that every replica holds.
    private static func checkReferences(in collections: [Collection]) throws(SchemaError) {
        for collection in collections {
            for field in collection.fields {
                for case .reference(let id) in field.members.map(\.type) {
                    guard let target = collections.first(where: { $0.id == id }) else {
                        throw .unknownCollection("\(id)")
                    }
                    let isClosed: Bool
                    if case .divided = target.scope {
                        isClosed = false
                    } else {
                        isClosed = target.scope.isAlways || target.scope == collection.scope
                    }
                    guard isClosed else {
                        throw .openReference(field: field.name, to: target.name)
                    }
                }
            }
        }
    }

    /// Joins collections that are known to keep the rules, in ascending order of their numbers.
    package init(version: UInt32, checked collections: [Collection], retired: [UInt32] = []) {
        self.version = version
        self.collections = collections
        self.retired = retired.ascending
    }

    /// Returns the collection with a number; nil if there is none.
    public func collection(id: UInt32) -> Collection? {
        collections.first { $0.id == id } ?? (id == Schema.published.id ? Schema.published : nil)
    }

    /// Returns the collection with a name; throws `unknownCollection` if there is none.
    public func collection(named name: String) throws(SchemaError) -> Collection {
        guard
            let collection = collections.first(where: {
                $0.name.utf8.elementsEqual(name.utf8)
            })
        else { throw .unknownCollection(name) }
        return collection
    }

    /// The scopes that the collections name in full, in bytewise order; those of divided
    /// collections follow from the records.
    package var scopes: [String] {
        let names = collections.compactMap { collection -> String? in
            if case .divided = collection.scope { nil } else { collection.scope.name }
        }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var distinct: [String] = []
        for scope in sorted where !(distinct.last?.utf8.elementsEqual(scope.utf8) ?? false) {
            distinct.append(scope)
        }
        return distinct
    }
}

extension [UInt32] {
    /// The numbers in ascending order, each once.
    var ascending: [UInt32] {
        var distinct: [UInt32] = []
        for number in sorted() where number != distinct.last { distinct.append(number) }
        return distinct
    }
}
