import LinnetCRDT
import LinnetStorage

/// The way in which the records of a query are found. Whatever the way, the condition is tested on
/// each.
enum AccessPath {
    /// Every record is read.
    case scan
    /// Records are read in the order of their identifiers, until there are enough.
    case identifiers
    /// The records that an index names are read.
    case index(Lookup)

    /// The part of an index that is read.
    struct Lookup {
        let field: Field
        let kind: FieldIndex
        var use: QueryPlan.Use
        /// The searches, which are made one after the other.
        var searches: [IndexSearch]
        /// True when a key after that of enough records ends the search.
        var isInOrder = false

        /// Narrows the bounds of the only search to those of another one.
        fileprivate mutating func narrow(to other: Lookup) {
            guard !searches.isEmpty, let bounds = other.searches.first else { return }
            if searches[0].lower.lexicographicallyPrecedes(bounds.lower) {
                searches[0].lower = bounds.lower
            }
            if bounds.upper.lexicographicallyPrecedes(searches[0].upper) {
                searches[0].upper = bounds.upper
            }
        }
    }

    /// The plan that an application is told.
    var plan: QueryPlan {
        switch self {
        case .scan: .scan
        case .identifiers: .identifiers
        case .index(let lookup): .index(field: lookup.field.name, lookup.kind, lookup.use)
        }
    }
}

extension BoundQuery {
    /// Returns the way to the records: an exact match rather than a range, and an order only where
    /// it lets the reading end before all is read.
    func path(in collection: UInt32, limit: Int?) -> AccessPath {
        let lookups = lookups(of: test, in: collection)
        if var best = best(lookups) {
            if let first = sort.first, first.reference == FieldReference(best.field),
                best.field.kind.form.isOneValue, best.kind == .clear
            {
                best.isInOrder = true
                best.searches[0].isDescending = first.isDescending
            }
            return .index(best)
        }
        guard limit != nil || after != nil else { return .scan }
        if sort.isEmpty { return .identifiers }
        return (limit != nil ? order(in: collection) : nil).map(AccessPath.index) ?? .scan
    }

    private func best(_ lookups: [AccessPath.Lookup]) -> AccessPath.Lookup? {
        if let exact = lookups.first(where: { $0.use == .exact }) { return exact }
        guard var best = lookups.first else { return nil }
        // In a field with several values each comparison may hold for another one.
        guard best.field.kind.form.isOneValue else { return best }
        for other in lookups.dropFirst() where other.field == best.field { best.narrow(to: other) }
        return best
    }

    /// Returns the parts of a condition that must hold and that an index can answer.
    private func lookups(of test: Test, in collection: UInt32) -> [AccessPath.Lookup] {
        switch test {
        case .all(let parts): parts.flatMap { lookups(of: $0, in: collection) }
        case .compare(let reference, let comparison, let operand):
            lookup(reference, comparison, operand, in: collection).map { [$0] } ?? []
        case .isNull(let reference):
            lookup(reference, .equal, .null, in: collection).map { [$0] } ?? []
        case .words, .any, .not: []
        }
    }

    private func lookup(
        _ reference: FieldReference, _ comparison: Comparison, _ operand: Value,
        in collection: UInt32
    ) -> AccessPath.Lookup? {
        guard let field = reference.field, reference.member == nil, let kind = field.index,
            let type = field.members.first?.type,
            operand == .null || IndexKey.compares(operand, with: type),
            let key = IndexKey.bytes(of: operand, limit: kind.keyBytes)
        else { return nil }
        let bounds: (lower: [UInt8], upper: [UInt8])
        switch (comparison, field.kind.form) {
        case (.contains, .elements): bounds = (key, key)
        case (.contains, _), (.matches, _), (.notEqual, _), (_, .elements): return nil
        case (.equal, _): bounds = (key, key)
        case _ where kind == .blind || operand == .null: return nil
        case (.less, _), (.lessOrEqual, _): bounds = (IndexKey.least, key)
        case (.greater, _), (.greaterOrEqual, _): bounds = (key, IndexKey.greatest)
        case (.beginsWith, _):
            guard case .text(let text) = operand else { return nil }
            bounds = (key, IndexKey.end(ofTextsBeginningWith: text, limit: kind.keyBytes))
        }
        return AccessPath.Lookup(
            field: field, kind: kind, use: bounds.lower == bounds.upper ? .exact : .range,
            searches: [
                IndexSearch(
                    collection: collection, field: field.id, kind: kind, lower: bounds.lower,
                    upper: bounds.upper)
            ])
    }

    /// Returns the lookup by the index of the field that records are sorted by first; nil if it has
    /// none.
    private func order(in collection: UInt32) -> AccessPath.Lookup? {
        guard let first = sort.first, let field = first.reference.field,
            first.reference.member == nil, field.index == .clear, field.kind.form.isOneValue
        else { return nil }
        let search = { (lower: [UInt8], upper: [UInt8]) in
            IndexSearch(
                collection: collection, field: field.id, kind: .clear, lower: lower, upper: upper,
                isDescending: first.isDescending)
        }
        let missing = search(IndexKey.missing, IndexKey.missing)
        let isLast = first.reference.sortsMissingLast || first.isDescending
        var searches = [search(IndexKey.least, IndexKey.greatest)]
        searches.insert(missing, at: isLast ? 1 : 0)
        if let begin = after?.keys.first {
            if begin == .null, isLast {
                searches.removeFirst()
            } else if begin != .null, let type = field.members.first?.type,
                IndexKey.compares(begin, with: type),
                let key = IndexKey.bytes(of: begin, limit: FieldIndex.clear.keyBytes)
            {
                if !isLast { searches.removeFirst() }
                if first.isDescending { searches[0].upper = key } else { searches[0].lower = key }
            }
        }
        return AccessPath.Lookup(
            field: field, kind: .clear, use: .order, searches: searches, isInOrder: true)
    }
}

extension FieldIndex {
    /// The number of bytes of a text that count in a key; all of them where nobody can read the
    /// key.
    var keyBytes: Int {
        switch self {
        case .clear: IndexKey.clearBytes
        case .blind: .max
        }
    }
}
