import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordReader {
    /// The most records that are compared with the log at a time.
    private static var salvagedAtOnce: Int { 8_192 }

    /// Returns the ops that the lost batches of a scope must have held, since records show them
    /// and the batches that are left do not explain them.
    func salvage(
        _ lost: LostBatches, in scope: ScopeID
    ) throws(StorageError) -> [SalvagedOperation] {
        var found: [SalvagedOperation] = []
        for collection in log.schema.collections {
            var after: RecordID?
            while true {
                var states: [RecordState] = []
                var last: RecordID?
                try forEachRecord(in: collection.id, after: after) { state in
                    last = state.record
                    if log.scope(of: RecordKey(state)) == scope { states.append(state) }
                    return states.count < Self.salvagedAtOnce
                }
                if !states.isEmpty {
                    found += try salvage(states, lost, in: scope, collection)
                }
                guard let last, states.count == Self.salvagedAtOnce else { break }
                after = last
            }
        }
        return found
    }

    private func salvage(
        _ states: [RecordState], _ lost: LostBatches,
        in scope: ScopeID, _ collection: Collection
    ) throws(StorageError) -> [SalvagedOperation] {
        let keys = OrderedSet(states.map { RecordKey($0) })
        var fold = LogFold(log, .these(keys), scopes: OrderedSet([scope]), rows.policy)
        while !fold.isDone {
            _ = try fold.run(log, operations: .max)
        }
        var found: [SalvagedOperation] = []
        for state in states {
            let known = try fold.state(of: RecordKey(state), log)
            do throws(CRDTError) {
                found += try state.salvage(lost, beyond: known, in: collection)
            } catch {
                throw .corrupt(where: "record \(state.record), whose lost text has no encoding")
            }
        }
        return found
    }
}
