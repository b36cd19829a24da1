package import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// The schemas that the group's devices published are texts that mean nothing to the replica.
extension Replica {
    /// Publishes a schema's text, as far as it is not published yet.
    package mutating func publish(
        schema text: [UInt8], at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        let writes = try reader.missingPieces(of: text)
        return writes.isEmpty ? [] : try commit(writes, at: now).1
    }

    /// Uses another schema from now on, and keeps its text for the next opening.
    ///
    /// If the schema says otherwise how to merge, everything that is stored is folded anew and
    /// shows then.
    package mutating func adopt(
        _ schema: Schema, keeping text: [UInt8], at now: Moment
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
                try recordBook.indexes.adapt(recordBook.rows(log), &turn)
            } else {
                chains.isStale = true
                try store.setValue(.schema, schema.foldMark)
                try recordBook.indexes.note(in: store)
            }
            if subscription != .all {
                // A session depends on what both sides hold, and that depends on the schema.
                for session in sessions.all { end(session, .normal, telling: .normal) }
            }
            chains.beginAnew()
            return try settle(at: now).filter { !$0.isOldNews }
        } catch {
            throw .storage(fail(error))
        }
    }
}

extension Effect {
    /// True when it tells of a batch that was applied before, and is applied again under another
    /// schema.
    fileprivate var isOldNews: Bool {
        if case .notify(.batchApplied) = self { true } else { false }
    }
}

extension GroupState {
    /// Returns the name of a part of a schema's text in this group; nil until the first data key is
    /// held.
    func schemaName(of text: [UInt8]) -> Bytes16? {
        naming.map { BatchName.schema(text, $0) }
    }
}
