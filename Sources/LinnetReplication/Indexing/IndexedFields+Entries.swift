import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The entries of a record agree with its row, since both are written together. Later changes are
/// in the overlay, where a query looks first.
extension IndexedFields {
    /// The number of records that are in memory while their entries are made anew.
    private static var recordsAtOnce: Int { 512 }

    /// Stores the entries of a record whose row was just written.
    func put(_ state: RecordState, row: Int64, _ log: BatchLog) throws(StorageError) {
        guard covers(state.collection) else { return }
        try log.store.putEntries(
            entries(of: log.schema.view(of: state), in: state.collection),
            collection: state.collection, row: row)
    }

    /// Makes anew the entries of the collections whose declared indexes are not those of the store.
    func adapt(_ rows: RecordRows, _ turn: inout Turn) throws(StorageError) {
        let store = rows.log.store
        let kept = try self.kept(in: store)
        let declared = marks
        let collections = OrderedSet(kept.keys + declared.keys).elements.filter {
            kept[$0] != declared[$0]
        }
        guard !collections.isEmpty else { return }
        try turn.writingDerived()
        for collection in collections {
            try store.removeEntries(collection: collection)
            if covers(collection) { try putAll(of: collection, rows) }
        }
        try store.setValue(.indexes, Self.encoded(declared))
    }

    /// Notes that the entries, of which there are none, are those of the declared indexes.
    func note(in store: any Store) throws(StorageError) {
        try store.setValue(.indexes, Self.encoded(marks))
    }

    private func putAll(of collection: UInt32, _ rows: RecordRows) throws(StorageError) {
        var last: RecordID?
        while true {
            var found: [KeptRecord] = []
            try rows.log.store.forEachRow(
                collection: collection, after: last?.utf8 ?? [], mending: rows.mended
            ) { row in
                found.append(row)
                return found.count < Self.recordsAtOnce
            }
            guard let end = found.last else { return }
            for row in found { try put(row.state, row: row.row, rows.log) }
            last = end.state.record
        }
    }

    private static func encoded(_ marks: OrderedTable<UInt32, [UInt8]>) -> [UInt8]? {
        guard !marks.isEmpty else { return nil }
        var writer = CBORWriter()
        writer.array(marks.count)
        for (collection, mark) in marks {
            writer.array(2)
            writer.unsigned(UInt64(collection))
            writer.raw(mark)
        }
        return writer.bytes
    }

    /// Returns the marks of the indexes to which the entries in the store belong.
    private func kept(
        in store: any Store
    ) throws(StorageError) -> OrderedTable<UInt32, [UInt8]> {
        var marks: OrderedTable<UInt32, [UInt8]> = OrderedTable()
        guard let bytes = try store.value(.indexes) else { return marks }
        do throws(WireError) {
            var reader = CBORReader(bytes)
            for _ in 0..<(try reader.array(max: bytes.count)) {
                try reader.array(exactly: 2)
                let collection = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
                marks[collection] = try reader.rawItem()
            }
            try reader.finish()
        } catch {
            throw .corrupt(where: "meta")
        }
        return marks
    }
}
