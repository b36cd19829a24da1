import LinnetCRDT
import LinnetStorage

extension OpenedHome {
    /// The schema to open a home with: the one given, which the home keeps from now on, else the
    /// one it keeps, else the built-in one.
    static func schema(
        of store: SQLiteStore, given: SchemaFile?
    ) throws(LinnetError) -> SchemaFile {
        do {
            let kept = try store.value(.application).map { bytes in
                try SchemaFile(reading: bytes)
            }
            guard let given else { return kept ?? SchemaFile(.demonstration) }
            if let kept {
                if kept.schema == given.schema { return kept }
                let change = SchemaChange(from: kept.schema, to: given.schema)
                if let problem = change.problems.first { throw LinnetError.schemaChange(problem) }
            } else if given.schema == .demonstration {
                return given
            }
            try store.begin(.full)
            try store.setValue(.application, Array(given.text.utf8))
            if !(kept?.schema.differsOnlyInIndexes(from: given.schema) ?? false) {
                // Without its mark, what is stored is folded anew: it may be known by now.
                try store.setValue(.schema, nil)
            }
            try store.commit()
            return given
        } catch let error as LinnetError {
            throw error
        } catch let error as StorageError {
            throw LinnetError(error)
        } catch {
            throw .database("the schema that the home keeps cannot be read: \(error)")
        }
    }
}
