import LinnetCRDT
import LinnetStorage

extension RecordReader {
    /// Gives `body` the records of a collection that follow `after` as they show, nil for those
    /// that do not, in the order of the bytes of their identifiers, until it returns false.
    ///
    /// Of a record that equals its row no state is made.
    func forEachView(
        in collection: Collection, after: RecordID?,
        _ body: (RecordID, RecordView?) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection.id, after: after)
        var next = 0
        var isEnough = false
        func give(_ state: RecordState) throws(StorageError) -> Bool {
            isEnough = try !body(state.record, log.schema.view(of: state))
            return !isEnough
        }
        try store.forEachContent(
            collection: collection.id, after: after?.utf8 ?? [], mending: rows.mended
        ) { (content) throws(StorageError) in
            let id = content.record
            while next < changed.count, changed[next].state.record < id {
                next += 1
                guard try give(changed[next - 1].state) else { return false }
            }
            if next < changed.count, changed[next].state.record == id {
                next += 1
                return try give(try whole(changed[next - 1]))
            }
            isEnough = try !body(id, try rows.view(of: content, in: collection))
            return !isEnough
        }
        while !isEnough, next < changed.count {
            next += 1
            _ = try give(changed[next - 1].state)
        }
    }
}

extension RecordRows {
    /// Returns what the content of a row shows; nil of a record that is not live.
    fileprivate func view(
        of content: RowContent, in collection: Collection
    ) throws(StorageError) -> RecordView? {
        switch content {
        case .state(let state): return log.schema.view(of: state)
        case .bytes(let id, let bytes):
            do throws(CRDTError) {
                if let view = try RecordRow.view(bytes, of: id, in: collection) { return view }
                let state = try RecordRow.decode(bytes, collection: collection.id, record: id)
                return log.schema.view(of: state)
            } catch {
                // The way of a damaged row: the log tells what it should hold.
                let key = RecordKey(collection: collection.id, record: id)
                return try record(key).flatMap { log.schema.view(of: $0.state) }
            }
        }
    }
}

extension RowContent {
    fileprivate var record: RecordID {
        switch self {
        case .bytes(let id, _): id
        case .state(let state): state.record
        }
    }
}
