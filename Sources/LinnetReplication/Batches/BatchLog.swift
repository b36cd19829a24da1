import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The batches that show, as they can be read again, with the schema and the group's names of its
/// scopes, by which they are merged. It is made for one step of a call, and nobody keeps it.
package struct BatchLog {
    let store: any Store
    let chains: ChainIndex
    let group: GroupState?
    let schema: Schema

    /// Returns the scope of a record; nil where the schema has none, or the group has no name for
    /// it yet.
    func scope(of key: RecordKey) -> ScopeID? {
        schema.collection(id: key.collection)?.scope.scope(of: key.record)
            .flatMap { group?.scope(named: $0) }
    }

    /// Returns the operations of a batch that says another one again; nil when it cannot be read.
    func operations(of sayer: Restatements.Sayer) throws(StorageError) -> Operations? {
        guard let row = chains[sayer.chain],
            let stored = try store.batch(chain: row.index, seq: sayer.seq)
        else { return nil }
        return group?.body(of: stored, in: row)?.operations
    }

    /// Returns the judgement of an operation, which depends on its bytes and the schema alone.
    func admission(of operation: Operation, in scope: ScopeID) -> Admission {
        let key = RecordKey(collection: operation.collection, record: operation.record)
        var rules = MergeRules(0)
        enter(key, in: scope, &rules)
        return rules.admission(of: operation)
    }

    /// Sets the rules for a record of a batch that lies in `scope`.
    func enter(_ key: RecordKey, in scope: ScopeID, _ rules: inout MergeRules) {
        rules.enter(key, in: scope, schema: schema) { group?.scope(named: $0) }
    }
}
