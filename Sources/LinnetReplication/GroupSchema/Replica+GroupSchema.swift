package import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// The schemas that the group's devices published, as texts that mean nothing to the replica.
extension Replica {
    /// The texts that are whole, in the order of their names.
    package func publishedSchemas() throws(ReplicaError) -> [[UInt8]] {
        guard let group else { return [] }
        var gathering = SchemaGathering()
        try storage { () throws(StorageError) in
            try recordBook.forEachRecord(
                in: LinnetCRDT.Schema.published.id, after: nil, log
            ) { state in
                gathering.take(state.record, state.logContents) { group.schemaName(of: $0) }
                return !gathering.isFull
            }
        }
        return gathering.texts
    }

    /// Publishes a schema's text, as far as it is not published yet.
    package mutating func publish(
        schema text: [UInt8], at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        let writes = try missingPieces(of: text)
        return writes.isEmpty ? [] : try commit(writes, at: now).1
    }

    /// The writes that publish what is not there of a text.
    func missingPieces(of text: [UInt8]) throws(ReplicaError) -> [Write] {
        guard let group else { throw .notAMember }
        guard group.schemaName(of: text) != nil else { throw .noEpochKey }
        guard text.count <= Limits.schemaPieces * Limits.schemaPieceBytes else {
            throw .schemaTooLarge
        }
        var missing: [Write] = []
        for (id, piece) in SchemaPieces(of: text, { group.schemaName(of: $0) ?? .zero }).records {
            let key = RecordKey(collection: LinnetCRDT.Schema.published.id, record: id)
            let present = try storage { () throws(StorageError) in
                try recordBook.existing(key, log)?.logContents ?? []
            }
            guard !present.contains(where: { SchemaPiece(payload: $0) == piece }) else { continue }
            missing.append(Write(key, [piece.change]))
        }
        return missing
    }

    /// Uses another schema from now on, and keeps its text for the next opening.
    ///
    /// What is stored is folded anew where the schema knows more of it, and shows then.
    package mutating func adopt(
        _ schema: LinnetCRDT.Schema, keeping text: [UInt8], at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        if let failure { throw .storage(failure) }
        precondition(author.open == nil, "a schema was adopted inside a transaction")
        let isFoldedAlike = schema.foldMark == self.schema.foldMark
        do throws(StorageError) {
            try turn.writing()
            try foldAllRows()
            try store.setValue(.groupSchema, text)
            self.schema = schema
            membership.adopt(schema, keys: keys)
            recordBook.adopt(schema)
            if isFoldedAlike {
                try recordBook.adaptIndexes(log, &turn)
            } else {
                chains.isStale = true
                try store.setValue(.schema, schema.foldMark)
                try recordBook.noteIndexes(in: store)
            }
            if subscription != .all {
                // A session stands on what both sides hold, which a schema says.
                for session in sessions.all { end(session, .normal, telling: .normal) }
            }
            chains.beginAnew()
            return try settle(at: now).filter { !$0.isOldNews }
        } catch {
            throw .storage(fail(error))
        }
    }
}

extension RecordState {
    /// Everything that was written under the identifier of a record of a log.
    fileprivate var logContents: [[UInt8]] {
        guard case .log(let log)? = content(of: 0) else { return [] }
        return log.entries.map(\.payload)
    }
}

extension Effect {
    /// Whether it tells of a batch that was applied before, and is again under another schema.
    fileprivate var isOldNews: Bool {
        if case .notify(.batchApplied) = self { true } else { false }
    }
}

extension GroupState {
    /// The name of a part of a schema's text in this group; nil until the first data key is held.
    func schemaName(of text: [UInt8]) -> Bytes16? {
        ring.firstDataKey(in: log).map { BatchName.schema(text, firstDataKey: $0.bytes) }
    }
}
