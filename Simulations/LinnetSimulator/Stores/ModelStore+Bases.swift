package import LinnetStorage
package import LinnetWire

/// The records of bases, by shelf, collection and identifier.
struct ModelBases {
    struct Name: Comparable {
        let collection: UInt32
        let id: [UInt8]

        init(_ name: RecordName) { (collection, id) = (name.collection, name.id.utf8) }

        static func < (left: Name, right: Name) -> Bool {
            guard left.collection == right.collection else {
                return left.collection < right.collection
            }
            return left.id.lexicographicallyPrecedes(right.id)
        }
    }

    var own: OrderedTable<Name, BaseRow> = OrderedTable()
    var arriving: OrderedTable<Name, BaseRow> = OrderedTable()

    subscript(shelf: BaseShelf) -> OrderedTable<Name, BaseRow> {
        get { shelf == .own ? own : arriving }
        set { if shelf == .own { own = newValue } else { arriving = newValue } }
    }
}

// The records of bases.
extension ModelStore {
    /// Keeps a record of a base over the one before.
    package func putBase(_ row: BaseRow, on shelf: BaseShelf) throws(StorageError) {
        checkTransaction()
        note(.bases(tables.bases))
        tables.bases[shelf][ModelBases.Name(row.name)] = row
    }

    /// A record of a base, or nil.
    package func base(
        of name: RecordName, on shelf: BaseShelf
    ) throws(StorageError) -> BaseRow? { tables.bases[shelf][ModelBases.Name(name)] }

    /// Records of a base in order, those that follow `after`, at most `limit`.
    package func bases(
        after: RecordName?, limit: Int, on shelf: BaseShelf
    ) throws(StorageError) -> [BaseRow] {
        let last = after.map(ModelBases.Name.init)
        let rows = tables.bases[shelf].filter { entry in last.map { $0 < entry.key } ?? true }
        return rows.prefix(limit).map(\.value)
    }

    /// The number of records of a base and their bytes.
    package func baseTotals(on shelf: BaseShelf) throws(StorageError) -> Totals {
        let rows = tables.bases[shelf].values
        return Totals(count: rows.count, bytes: rows.reduce(0) { $0 + $1.sealed.count })
    }

    /// Forgets the records of a base, of one scope or of all.
    package func removeBases(scope: ScopeID?, on shelf: BaseShelf) throws(StorageError) {
        checkTransaction()
        note(.bases(tables.bases))
        tables.bases[shelf].removeAll { scope == nil || $1.scope == scope }
    }

    /// Makes the records of the base that came one's own.
    package func adoptArrivedBases() throws(StorageError) {
        checkTransaction()
        note(.bases(tables.bases))
        for (name, row) in tables.bases.arriving { tables.bases.own[name] = row }
        tables.bases.arriving = OrderedTable()
    }

    /// Keeps the last sequence of a chain that the base holds.
    package func setFloor(of chain: Int64, _ seq: UInt64) throws(StorageError) {
        checkTransaction()
        let place = Int(chain) - 1
        guard tables.chains.indices.contains(place) else { return }
        note(.chain(tables.chains[place]))
        tables.chains[place].floor = seq
    }

    /// Forgets the batches of a chain below a sequence.
    package func removeBatches(chain: Int64, below seq: UInt64) throws(StorageError) {
        checkTransaction()
        let before = tables.batches
        if tables.batches.removeAll(chain: chain, below: seq) { note(.batchesRemoved(before)) }
    }
}
