import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The batches that show, as they can be read again, and what says how they are merged: the schema
/// and the group's names of its scopes. Made for one step of a call; nobody keeps it.
struct BatchLog {
    let store: any Store
    let chains: ChainIndex
    let group: GroupState?
    let schema: LinnetCRDT.Schema

    /// The scope of a record; nil where the schema has none, or the group no name of it yet.
    func scope(of key: RecordKey) -> ScopeID? {
        schema.collection(id: key.collection)?.scope.scope(of: key.record)
            .flatMap { group?.scope(named: $0) }
    }

    /// Whether an operation takes effect, decided from its bytes and the schema alone.
    func admission(of operation: Operation, in scope: ScopeID) -> Admission {
        let key = RecordKey(collection: operation.collection, record: operation.record)
        var rules = MergeRules(0)
        enter(key, in: scope, &rules)
        return rules.admission(of: operation)
    }

    /// Goes on to a record of a batch that lies in `scope`.
    func enter(_ key: RecordKey, in scope: ScopeID, _ rules: inout MergeRules) {
        rules.enter(key, in: scope, schema: schema) { group?.scope(named: $0) }
    }
}
