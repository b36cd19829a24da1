import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension RecordReader {
    /// Returns the texts that are whole, in the order of their names.
    package func publishedSchemas() throws(ReplicaError) -> [[UInt8]] {
        guard let group = log.group else { return [] }
        var gathering = SchemaGathering()
        try storage { () throws(StorageError) in
            try forEachRecord(
                in: Schema.published.id, after: nil
            ) { state in
                gathering.take(state.record, state.logContents) { group.schemaName(of: $0) }
                return !gathering.isFull
            }
        }
        return gathering.texts
    }

    /// Returns the writes that publish the missing pieces of a text.
    func missingPieces(of text: [UInt8]) throws(ReplicaError) -> [Write] {
        guard let group = log.group else { throw .notAMember }
        guard group.schemaName(of: text) != nil else { throw .noEpochKey }
        guard text.count <= Limits.schemaPieces * Limits.schemaPieceBytes else {
            throw .schemaTooLarge
        }
        var missing: [Write] = []
        for (id, piece) in SchemaPieces(of: text, { group.schemaName(of: $0) ?? .zero }).records {
            let key = RecordKey(collection: Schema.published.id, record: id)
            let present = try storage { () throws(StorageError) in
                try existing(key)?.logContents ?? []
            }
            guard !present.contains(where: { SchemaPiece(payload: $0) == piece }) else { continue }
            missing.append(Write(key, [piece.change]))
        }
        return missing
    }
}

extension RecordState {
    /// The contents that were written under the identifier of a record of a log.
    fileprivate var logContents: [[UInt8]] {
        guard case .log(let log)? = content(of: 0) else { return [] }
        return log.entries.map(\.payload)
    }
}
