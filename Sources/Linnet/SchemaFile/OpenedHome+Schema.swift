import LinnetCRDT
import LinnetMedication
import LinnetStorage

extension OpenedHome {
    /// Returns the schema with which a home is opened; the home keeps one that is given.
    static func schema(
        of store: SQLiteStore, _ choice: SchemaChoice
    ) throws(LinnetError) -> HomeSchema {
        do {
            let bytes = try store.value(.application)
            // A home from before groups carried their schema keeps nothing at all.
            let kept = try bytes.flatMap { try $0.isEmpty ? nil : SchemaFile(reading: $0) }
            switch choice {
            case .learned:
                try keep([], in: store)
                return HomeSchema(
                    file: SchemaFile(.unknown), declared: nil, isFixed: false, isAssumed: false)
            case .given(let file):
                return try given(file, over: kept, isNew: bytes == nil, in: store)
            case .kept:
                let declared = bytes == nil ? SchemaFile(.demonstration) : kept
                let used = try store.value(.groupSchema).map { try SchemaFile(reading: $0) }
                return HomeSchema(
                    file: used ?? declared ?? SchemaFile(.unknown), declared: declared,
                    isFixed: false, isAssumed: bytes == nil)
            }
        } catch let error as LinnetError {
            throw error
        } catch let error as StorageError {
            throw LinnetError(error)
        } catch {
            throw .database("the schema that the home keeps cannot be read: \(error)")
        }
    }

    private static func given(
        _ file: SchemaFile, over kept: SchemaFile?, isNew: Bool, in store: SQLiteStore
    ) throws -> HomeSchema {
        let isAssumed = isNew && file.schema == .demonstration
        let given = HomeSchema(
            file: file, declared: file, isFixed: true, isAssumed: isAssumed)
        if let kept {
            if kept.schema == file.schema {
                return HomeSchema(file: kept, declared: kept, isFixed: true, isAssumed: false)
            }
            let change = SchemaChange(from: kept.schema, to: file.schema)
            if let problem = change.problems.first { throw LinnetError.schemaChange(problem) }
        } else if let learned = try store.value(.groupSchema).map({ try SchemaFile(reading: $0) }) {
            let found = SchemaContradiction.sentences(of: file.schema, against: learned.schema)
            if let problem = found.first { throw LinnetError.schemaChange(problem) }
        }
        if !isAssumed { try keep(Array(file.text.utf8), in: store) }
        return given
    }

    /// Keeps the schema that is declared here; the one that was joined with the group's is
    /// forgotten and made anew.
    private static func keep(_ text: [UInt8], in store: SQLiteStore) throws(StorageError) {
        try store.begin(.full)
        try store.setValue(.application, text)
        try store.setValue(.groupSchema, nil)
        try store.commit()
    }
}
